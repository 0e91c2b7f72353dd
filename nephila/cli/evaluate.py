"""`nephila evaluate`: precision, recall, F1 and milliseconds a page, as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def evaluate(
    data: Annotated[Path, typer.Option("--data", metavar="DIR", help="The data sets, as *.jsonl.xz.")],
    method: Annotated[
        list[str] | None, typer.Option("--method", metavar="auto|lines|visual", help="Default: auto and lines.")
    ] = None,
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="NAME", help="Default: all sets.")] = None,
    folds: Annotated[
        Path | None, typer.Option("--folds", metavar="DIR", help="Each page by the model that never saw its site.")
    ] = None,
    sample: Annotated[int | None, typer.Option("--sample", metavar="N", min=1, help="Pages of each set.")] = None,
    peers: Annotated[bool, typer.Option("--peers", help="The installed peers too, page by page in turn.")] = False,
    peer_results: Annotated[
        Path | None, typer.Option("--peer-results", metavar="DIR", help="What benchmarks.content_peers kept.")
    ] = None,
    json_output: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="The table as JSON.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="The table as a picture.")] = None,
) -> None:
    """Measure the extraction against gold texts: token-bag F1, page mean, folds by site.

    \b
    nephila evaluate --data data/text --folds folds
    nephila evaluate --data data/text --set l3s_gn1 --method lines --sample 100 --peers
    nephila evaluate --data data/visual --method visual
    """
    if method == ["visual"]:
        from nephila.cli.visual_evaluating import evaluate_visual

        return evaluate_visual(data, sets, json_output)
    from nephila.cli.evaluating import Evaluation

    return Evaluation(data, folds, sample, peers, peer_results).run(
        sets, method or ["auto", "lines"], json_output, plot
    )
