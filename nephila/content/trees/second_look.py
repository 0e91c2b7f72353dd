"""What the boosted trees say of the blocks that the network does not rule out: `refine` and `symmetric`, one after the
other; or all of it by one call of the native library, which spares a page some thirty calls on tiny arrays."""

from __future__ import annotations

from nephila.content.features.page import PageFeatures
from nephila.content.judgement import Judgement
from nephila.content.native.refine import Again, look_again
from nephila.content.trees.refine import RULED_OUT, candidates, refinement_inputs
from nephila.content.trees.symmetric import SymmetricTrees


def second_look(page: PageFeatures, judgement: Judgement, trees: SymmetricTrees) -> Again | None:
    """None where no block is worth it."""
    said = judgement.main, judgement.comment, judgement.kinds
    return look_again(page, said, trees.places, float(trees.bias), RULED_OUT) or _step_by_step(page, judgement, trees)


def _step_by_step(page: PageFeatures, judgement: Judgement, trees: SymmetricTrees) -> Again | None:
    rows = candidates(judgement.main)
    if not len(rows):
        return None
    inputs = refinement_inputs(page, judgement.main, judgement.comment, judgement.kinds, rows)
    return Again(rows, trees.logits(inputs), inputs)
