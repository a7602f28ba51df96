"""What changes files: durable writing, locks, pending panels, memories on disk."""
