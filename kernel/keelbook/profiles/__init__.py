"""What a profile is made of: its settings, its files layered over each other, who may set what.

Rules: the built-in profiles ``base`` and ``stable`` have the form of a file; ``profile.py`` puts a
session's parts together from the result.
"""
