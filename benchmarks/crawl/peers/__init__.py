"""The peers, each a program of its own, as its documentation would have one write it; run in their own environment."""
