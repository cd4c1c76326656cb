"""Stichtag: the base rules; the calendar's sheets replace or extend them part by part."""
