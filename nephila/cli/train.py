"""`nephila train`: trains the shipped models again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def train(
    data: Annotated[Path, typer.Option("--data", metavar="DIR", help="The data sets, as *.jsonl.xz.")],
    method: Annotated[str, typer.Option("--method", metavar="auto|lines|visual", help="Which model.")] = "auto",
    classifier: Annotated[
        str | None, typer.Option("--classifier", metavar="svm|nb|c45", help="Of --method lines; default: all three.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Instead of the weights in the package.")
    ] = None,
    folds: Annotated[
        Path | None, typer.Option("--folds", metavar="DIR", help="Keep each fold's model here, for `evaluate`.")
    ] = None,
    cache: Annotated[
        Path | None, typer.Option("--cache", metavar="DIR", help="Keep parsed pages and networks here, to go on.")
    ] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", metavar="N", min=1)] = None,
    variants: Annotated[
        int,
        typer.Option(
            "--variants", metavar="N", min=0, help="Learn from so many variants of each page besides, in other markup."
        ),
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The same seed gives the same weights.")] = 0,
) -> None:
    """Train from pages with gold text, and print how well each fold's pages are told by a model that never saw them.

    \b
    nephila train --data data/text --cache cache --folds folds
    nephila train --data data/text --method lines --classifier svm
    nephila train --data data/visual --method visual
    """
    from nephila.cli.training import train_auto, train_lines
    from nephila.errors import InputError

    if method == "auto":
        train_auto(data, output, folds, cache, epochs=epochs, seed=seed, variants=variants)
    elif method == "lines":
        train_lines(data, output, classifier)
    elif method == "visual":
        from nephila.cli.visual_training import train_visual

        train_visual(data, output)
    else:
        raise InputError(f"there is no method {method!r} to train: use --method auto, lines or visual")
