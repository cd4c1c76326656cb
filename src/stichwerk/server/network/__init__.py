"""Connections: uvicorn protocols with limits, WebSocket sessions, rate limits, headers."""
