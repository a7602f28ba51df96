"""Memory trees: reward records, their index and their lifecycle (memory protocol 1.1 and 1.0)."""
