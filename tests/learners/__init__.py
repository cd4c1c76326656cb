"""Real learners, which need PyTorch: `make test-learners` has an environment of its own."""
