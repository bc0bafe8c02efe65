"""Read papers, keep them, find them. Knows nothing of chat."""
