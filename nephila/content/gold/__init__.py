"""Pages with gold text: reading them (`datasets`), what their gold says of each block (`labels`, `align`), and how well
each method and each peer does on them (`evaluation`, `peers`). For training and measuring; no page is extracted by it.
"""
