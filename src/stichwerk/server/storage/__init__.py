"""Storage: the SQLite store, its schema, retention, export and import."""
