"""Keelbook's host: the trusted side of a notebook kernel whose cells run in a confined guest.

The floors, lowest first (an import may only point down; ``tests/test_house.py`` checks it):

- F0 values: ``record`` ``value`` ``errors`` ``text`` ``messages`` ``events`` ``config`` ``plan``
  ``front_door`` ``destructive``
- F1 log: ``private`` ``lease`` ``store`` ``fold`` ``log`` ``surface`` ``objects`` ``archive``
  ``jsonl``
- F2 seams: ``observer`` ``interpreter`` ``files`` ``ask`` ``tool`` ``model`` ``row`` ``parts``
- F3 workers: ``loop`` ``rows`` ``models`` ``toolset`` ``guest_process``
- F4 assembly: ``profiles`` ``profile`` ``opening`` ``watching`` ``session``
- F5 edges: ``jupyter`` ``cli``
"""

__version__ = "0.1.0"
