"""The shell reader: command lines and scripts in the Bourne family, and PowerShell's plain calls.

Text becomes a flat list of steps (``grammar``; ``rough`` where the grammar finds errors), the
steps are walked once in order (``walk``) with what is literally known of variables, functions,
files and pipes, and each command is judged by its own judge or its tool's table.
"""
