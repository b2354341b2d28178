"""The rows: one module each, every one exports ``row(config) -> Row``. No row imports another."""
