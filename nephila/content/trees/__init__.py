"""Boosted trees: the second look at what the network said of a page's blocks.

`second_look` is the door; `refine` makes its numbers, with those of `alike` and `stretches`; `symmetric` asks the
trees, and `forest` ordinary ones, which name the fields of rules.
"""
