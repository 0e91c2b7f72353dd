"""`nephila extract`: the content of pages at hand."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def extract(
    source: Annotated[
        str, typer.Argument(metavar="FILE|DIR|URL|-", help="A page, a WARC archive, a directory of pages, or - .")
    ],
    url: Annotated[str | None, typer.Option("--url", metavar="URL", help="The page's address, for its links.")] = None,
    output_format: Annotated[str, typer.Option("--format", metavar="json|text|markdown")] = "json",
    method: Annotated[
        str, typer.Option("--method", metavar="auto|lines|visual", help="How the text is told.")
    ] = "auto",
    rules: Annotated[
        Path | None, typer.Option("--rules", metavar="FILE", help="Fields too, by rules that `learn` wrote.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Instead of the screen.")
    ] = None,
    overlay: Annotated[
        Path | None,
        typer.Option("--overlay", metavar="PNG", help="A picture of the page with its blocks and scores: visual."),
    ] = None,
    workers: Annotated[int | None, typer.Option("--workers", metavar="N", min=1, help="For a directory.")] = None,
    allow_private: Annotated[bool, typer.Option("--allow-private", help="Fetch private addresses too.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No progress bar.")] = False,
) -> None:
    """Title, text, author, dates and more of a page, as JSON, plain text or Markdown.

    A directory gives one JSON line a page, with its path as `file`; a WARC archive one for each HTML page.

    \b
    nephila extract page.html --url https://example.org/page.html
    nephila extract https://example.org/page.html --format markdown
    nephila extract saved-pages/ -o pages.jsonl
    nephila extract saved-pages/ --rules rules.json
    curl -s https://example.org/ | nephila extract - --format text
    nephila extract https://example.org/ --method visual --overlay blocks.png
    """
    from nephila.archive import is_archive
    from nephila.cli.extracting import Wanted, extract_archive, extract_directory, extract_one

    if method == "visual" or overlay is not None:
        from nephila.cli.visual_extracting import extract_visual

        wanted = Wanted(output_format, "auto")
        raise typer.Exit(extract_visual(source, url, wanted, output, allow_private, overlay))
    wanted = Wanted(output_format, method, rules)
    if source != "-" and Path(source).is_dir():
        raise typer.Exit(extract_directory(Path(source), wanted, output, workers, quiet))
    if is_archive(source) and "://" not in source:
        raise typer.Exit(extract_archive(Path(source), wanted, output))
    extract_one(source, url, wanted, output, allow_private)
