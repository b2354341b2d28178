"""The reader of other languages' one-liners: their strings, names and calls, by tables."""
