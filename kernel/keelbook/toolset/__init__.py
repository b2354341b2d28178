"""The file and shell tools, one module each; ``profile.py`` holds their list.

Rules: importing this package imports nothing else (the search process starts through it). A tool
module exports ``tool() -> Tool``. Every path goes through ``scene.files`` and is opened by
``disk``.
"""
