"""The calls of the native library for a page's numbers, each the same as a module of its name's room in numpy.

None without a compiler, or where a page is beyond what the library takes; the caller then does it in numpy.
"""
