"""The numbers of each block and its containers that the model sees: `page_features` is the door. Knows documents.

Lengths, characters, links, agreement with the title; names of elements and their families; the first words, as hashes.
"""
