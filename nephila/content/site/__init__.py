"""What the pages of a site have in common: `memory` learns it, `look` tells a block in its light, `store` shares it.

`tally` keeps the counts: a row of numbers for each hash, and no text.
"""
