"""Servers for the tests: real ones from Debian's packages, each on a free port or socket with a directory of its own.

What has no server in Debian or PyPI is played by a reference in a library; the module says which.
"""
