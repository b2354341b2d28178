"""Keelbook's guest: the confined process in which cells run.

Nothing of `keelbook` is imported here, and nothing outside the standard library is
needed, so that the guest runs on any CPython from 3.10 up. The host starts it through
`bootstrap`, which loads this package from its folder by path.
"""
