"""The host's side of the guest: one process a session, its channel, its runs and its end.

Rules: nothing is imported here, so that ``keelbook.guest_process.spawn`` can start a guest before
the rest of the host is loaded. Everything a guest says is untrusted (``guest.md`` section 9).
"""
