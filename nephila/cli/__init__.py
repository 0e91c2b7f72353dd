"""The command line: one file a command. Command files import only typer at their top, so that `--help` is instant."""

from __future__ import annotations

import sys

import typer

from nephila import __version__
from nephila.cli import crawl, dead, demo, status
from nephila.errors import NephilaError

app = typer.Typer(
    name="nephila",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Crawl web sites into clean text and structured records, without hand-written rules.",
    epilog="Start with:  nephila demo  or  nephila crawl https://example.org -o pages.jsonl",
)
app.command("crawl")(crawl.crawl)
app.command("status")(status.status)
app.add_typer(dead.app, name="dead")
app.command("demo")(demo.demo)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"nephila {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Options of every command are listed by `nephila COMMAND --help`."""


def main() -> None:
    """The entry point: a NephilaError becomes one line on standard error and exit status 2."""
    try:
        app()
    except NephilaError as error:
        typer.echo(f"nephila: {error}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): not an error of ours.
        sys.stderr.close()
        sys.exit(0)
