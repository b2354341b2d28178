"""The classifier of destructive actions: what a command, a statement or a cell would destroy.

``judge(text, language)`` and ``judge_call(tool, arguments)`` in ``judge`` give findings. Nothing is
ever run, nothing is allowed: findings are for a person to decide on. Floor F0, values only.
"""
