"""The SQL reader: statements told apart by their tokens, judged by what they begin with.

Filters of DELETE and UPDATE are parsed by sqlglot and asked whether they filter at all.
"""
