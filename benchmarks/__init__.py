"""Benchmarks: Nephila side by side with its peers, in one run, on one machine. Never imported by `nephila`."""
