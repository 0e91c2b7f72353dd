"""`nephila rules`: look at learned rules, test, correct and pass them on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Learned extraction rules: list, show, test, edit, fix, export, import.")

_Rules = Annotated[Path | None, typer.Option("--rules", metavar="FILE", help="A rule file, as `learn -o` writes it.")]
_State = Annotated[Path | None, typer.Option("--state", metavar="DIR", help="The state directory of a crawl.")]
_Template = Annotated[str, typer.Argument(metavar="SITE[/GROUP]", help="As `rules list` shows it.")]


@app.command("list")
def list_rules(rules: _Rules = None, state: _State = None) -> None:
    """One line a template: site and group, type, fields, version, where it came from."""
    from nephila.cli.ruling import list_templates

    list_templates(rules, state)


@app.command("show")
def show_rules(
    template: _Template,
    rules: _Rules = None,
    state: _State = None,
    json: Annotated[bool, typer.Option("--json", help="All of it.")] = False,
) -> None:
    """The fields of a template, each with its rules as XPath."""
    from nephila.cli.ruling import show_template

    show_template(template, rules, state, json)


@app.command("edit")
def edit_rules(
    template: _Template,
    rules: _Rules = None,
    state: _State = None,
    rename: Annotated[list[str] | None, typer.Option("--rename", metavar="OLD=NEW")] = None,
    drop: Annotated[list[str] | None, typer.Option("--drop", metavar="FIELD")] = None,
    set_type: Annotated[
        list[str] | None,
        typer.Option("--type", metavar="FIELD=TYPE", help="text, number, price, quantity, date, url, image"),
    ] = None,
    many: Annotated[list[str] | None, typer.Option("--many", metavar="FIELD", help="Take all values.")] = None,
) -> None:
    """Rename, drop or retype fields. What is edited stays as it is when rules are learned again."""
    from nephila.cli.ruling import edit_template, edits

    edit_template(template, rules, state, edits(rename or [], drop or [], set_type or [], many or []))


@app.command("test")
def try_rules(
    pages: Annotated[list[str], typer.Argument(metavar="FILE|URL...")],
    rules: _Rules = None,
    state: _State = None,
    allow_private: Annotated[bool, typer.Option("--allow-private", help="Fetch private addresses too.")] = False,
) -> None:
    """What the rules find on a page, and how far they agree. Exit status 1 when no template fits."""
    from nephila.cli.ruling import try_pages

    raise typer.Exit(try_pages(pages, rules, state, allow_private))


@app.command("fix")
def fix_rules(
    page: Annotated[str, typer.Argument(metavar="FILE|URL")],
    name: Annotated[str, typer.Argument(metavar="FIELD")],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="As the page shows it.")],
    rules: _Rules = None,
    state: _State = None,
    others: Annotated[
        list[str] | None, typer.Option("--page", metavar="FILE|URL", help="More pages of the template: better rules.")
    ] = None,
    allow_private: Annotated[bool, typer.Option("--allow-private", help="Fetch private addresses too.")] = False,
) -> None:
    """Correct one value on one page: the rule is repaired for all pages of the template.

    \b
    nephila rules fix https://shop.example/p/1 price '12.50 EUR' --state .nephila/shop
    """
    from nephila.cli.ruling import fix_field

    fix_field(page, name, value, rules, state, others or [], allow_private)


@app.command("export")
def export_rules(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE")],
    state: _State = None,
    rules: _Rules = None,
    site: Annotated[str, typer.Option("--site", metavar="DOMAIN", help="Only of this site.")] = "",
) -> None:
    """Write rules to a file (JSON), with the XPath and CSS of each."""
    from nephila.cli.ruling import export_to

    export_to(output, rules, state, site)


@app.command("import")
def import_rules(
    source: Annotated[Path, typer.Argument(metavar="FILE")],
    state: Annotated[Path, typer.Option("--state", metavar="DIR", help="The state directory of a crawl.")],
) -> None:
    """Put the rules of a file into the state of a crawl, which then reads its pages with them."""
    from nephila.cli.ruling import import_from

    import_from(source, state)
