"""The work of `nephila train --method visual`."""

from __future__ import annotations

from pathlib import Path

import typer

from nephila.content.visual.data import MIXED, read_pages
from nephila.content.visual.features import FEATURES
from nephila.content.visual.model import WEIGHTS
from nephila.content.visual.training import train_general


def train_visual(data: Path, output: Path | None) -> None:
    """Trains the shipped model on the mixed set; `nephila evaluate --method visual` says how well such models do."""
    pages = read_pages(data, MIXED)
    model = train_general(pages)
    target = output or WEIGHTS
    model.save(target)
    typer.echo(f"Trained on {len(pages)} pages of {MIXED}, {len(FEATURES)} features: {target}")
    typer.echo("Measure it on sites that it never saw with: nephila evaluate --method visual --data ...")
