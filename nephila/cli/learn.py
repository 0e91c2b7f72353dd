"""`nephila learn`: rules from pages of one template."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def learn(
    sources: Annotated[
        list[str], typer.Argument(metavar="DIR|FILE|URL...", help="Pages of one site: 3 at least, 10 to 20 are best.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the rules to a file (JSON).")
    ] = None,
    state: Annotated[
        Path | None, typer.Option("--state", metavar="DIR", help="Put the rules into the state of a crawl.")
    ] = None,
    site: Annotated[
        str | None, typer.Option("--site", metavar="DOMAIN", help="The pages' site, where no URL says it.")
    ] = None,
    fields: Annotated[
        str | None, typer.Option("--fields", metavar="NAME,...", help="The fields wanted; default: what there is.")
    ] = None,
    method: Annotated[
        str, typer.Option("--method", metavar="slots|roadrunner", help="roadrunner prints the wrapper of two pages.")
    ] = "slots",
    noise: Annotated[
        list[Path] | None, typer.Option("--noise", metavar="LIST", help="Filter lists (AdBlock's language).")
    ] = None,
    allow_private: Annotated[bool, typer.Option("--allow-private", help="Fetch private addresses too.")] = False,
) -> None:
    """Learn extraction rules from pages that were made by one template; no example is needed.

    Pages are sorted into templates; each with enough pages gets rules: named, typed fields, with XPath and CSS.

    \b
    nephila learn saved-pages/ -o rules.json
    nephila learn https://shop.example/p/1 https://shop.example/p/2 https://shop.example/p/3 -o rules.json
    nephila learn a.html b.html --method roadrunner
    nephila extract saved-pages/ --rules rules.json
    """
    from nephila.cli.ruling import Learning, learn_rules

    wanted = [name.strip() for name in fields.split(",") if name.strip()] if fields else None
    learn_rules(sources, Learning(output, state, site, wanted, method, noise or [], allow_private))
