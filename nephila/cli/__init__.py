"""The command line: one file a command. Command files import only typer at their top, so that `--help` is instant."""

from __future__ import annotations

import gc
import sys

import typer

from nephila import __version__
from nephila.cli import (
    cluster,
    crawl,
    dashboard,
    dead,
    demo,
    evaluate,
    export,
    extract,
    forum,
    jobs,
    learn,
    rules,
    status,
    submit,
    top,
    train,
    worker,
)
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
app.command("top", short_help="Watch a crawl live, from another terminal.")(top.top)
app.add_typer(dead.app, name="dead")
app.command("worker", short_help="Serve every job of a cluster until told to stop.")(worker.worker)
app.command("submit")(submit.submit)
app.command("pause", short_help="Let the workers finish what they have of a job, and wait.")(jobs.pause)
app.command("resume")(jobs.resume)
app.command("cancel", short_help="End a job for good; what it has finished stays.")(jobs.cancel)
app.command("export", short_help="Merge what a job's workers have finished into one file.")(export.export)
app.add_typer(cluster.app, name="cluster")
app.command("dashboard", short_help="Open a web page that starts crawls and shows them live.")(dashboard.dashboard)
app.command("extract", short_help="Title, text, author, dates and more of a page at hand.")(extract.extract)
app.command("learn", short_help="Learn extraction rules from pages of one template.")(learn.learn)
app.add_typer(rules.app, name="rules")
app.command("train", short_help="Train from pages with gold text.")(train.train)
app.command("evaluate", short_help="Measure the extraction against gold texts.")(evaluate.evaluate)
app.add_typer(forum.app, name="forum")
app.command("demo", short_help="Crawl sample sites that are served on this machine.")(demo.demo)


_USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""Every mistake on the command line; typer has no public name for it."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"nephila {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Options of every command are listed by `nephila COMMAND --help`."""


_EXTRAS = {"kazoo": "cluster", "docker": "cluster", "redis": "cluster", "playwright": "browser"}
"""Modules that commands load without a word of their own, and what brings them."""


def main() -> None:
    """The entry point: a NephilaError becomes one line on standard error and exit status 2."""
    # What a command loads is no garbage: to look for some takes a tenth of its start.
    gc.set_threshold(100_000, 50, 100)
    try:
        # Not standalone: typer would print the usage too, and a mistake deserves one line.
        sys.exit(app(prog_name="nephila", standalone_mode=False))
    except NephilaError as error:
        typer.echo(f"nephila: {error}", err=True)
        sys.exit(2)
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in _EXTRAS:
            raise
        missing = f"this needs {name}, which is not installed: pip install 'nephila[{_EXTRAS[name]}]'"
        typer.echo(f"nephila: {missing}", err=True)
        sys.exit(2)
    except _USAGE_ERROR as error:
        typer.echo(_explained(error), err=True)
        sys.exit(2)
    except typer.Abort:
        sys.exit(130)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): not an error of ours.
        sys.stderr.close()
        sys.exit(0)


def _explained(error: Exception) -> str:
    message = getattr(error, "format_message", lambda: str(error))().strip()
    context = getattr(error, "ctx", None)
    if message.startswith("Usage:"):  # no command was given: the help is the answer
        return str(message)
    return f"nephila: {message.removesuffix('.')}; see {context.command_path if context else 'nephila'} --help"
