"""Scripted sessions of the browser tests, written beside the notebooks that use them."""

from __future__ import annotations

PLANNED = """\
about: plans, works slowly enough to be watched, finishes
turns:
  - request: Add up some numbers
    replies:
      - text: I plan three steps.
        calls:
          - write_todos:
              todos:
                - {content: Make the numbers, status: in_progress}
                - {content: Add them up, requires: [Make the numbers]}
                - {content: Say hello}
      - calls:
          - python: |
              import time
              numbers = []
              for number in range(40):
                  numbers.append(number)
                  time.sleep(0.1)
              len(numbers)
      - calls:
          - write_todos:
              todos:
                - {content: Make the numbers, status: completed}
                - {content: Add them up, status: completed, requires: [Make the numbers]}
                - {content: Say hello, status: in_progress}
                - {content: Think of a name, status: completed}
          - python: sum(numbers)
      - text: The sum is 780.
  - request: Anything else?
    replies:
      - text: There is nothing more to do.
"""

ENDLESS = """\
about: a cell that only a stop ends
turns:
  - replies:
      - calls:
          - python: |
              kept = 42
              import time
              while True:
                  time.sleep(0.05)
      - text: It ended by itself, which it should not.
  - replies:
      - text: Ready again.
"""
