"""Training of nets: see docs/training.md."""
