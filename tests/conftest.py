"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

# Hypothesis's own profile for build machines: the same examples at every run, and no deadline, which a busy machine
# would miss. `pytest --hypothesis-profile=default` looks for new ones.
settings.load_profile("ci")
