"""`nephila forum`: what a crawl has learned of forums, to be looked at and mended."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="What a crawl has learned of forums: look at it, mend it.")

_State = Annotated[Path, typer.Option("--state", metavar="DIR", help="The crawl's state directory.")]


@app.command()
def show(state: _State) -> None:
    """Show the address patterns of each forum and what their pages are.

    {#} stands for a number, {*} for a name; `id` is the slot that names the thread or board, `page` that of its page.
    """
    from nephila.forum.model import SiteModel

    found = asyncio.run(_facts(state))
    if not found:
        typer.echo("this crawl has met no forum")
    for host, data in found:
        model = SiteModel.from_json(data)
        typer.echo(
            f"{host}  {'a forum' if model.forum else 'not known to be a forum'}, {model.evidence.seen} pages looked at"
        )
        if model.template is not None:
            typer.echo(f"  posts: {model.template.record}, text in {' > '.join(model.template.body)}")
        for text, known in sorted(model.patterns.items()):
            if known.role is None and not known.fetched:
                continue
            slots = "".join(
                f"  {name} {slot}"
                for name, slot in (("id", known.id_slot), ("page", known.page_slot))
                if slot is not None
            )
            mark = "  by hand" if known.fixed else ""
            typer.echo(f"  {known.role or '-':8}{text}  fetched {known.fetched}, useful {known.useful}{slots}{mark}")


@app.command()
def fix(
    pattern: Annotated[str, typer.Argument(help="A pattern as `nephila forum show` writes it.")],
    role: Annotated[str, typer.Argument(metavar="thread|board|page|post|other", help="What its pages are.")],
    state: _State,
    host: Annotated[str | None, typer.Option("--host", help="The forum, where the crawl has met several.")] = None,
) -> None:
    """Say what the pages of a pattern are; the crawl keeps to it when it goes on.

    \b
    nephila forum fix '/archive/{#}/{*}' other --state .nephila/forum
    """
    from nephila.errors import InputError
    from nephila.forum.model import Role

    if role not in set(Role):
        raise InputError(f"{role!r} is no role: choose one of {', '.join(Role)}")
    if not asyncio.run(_fix(state, host, pattern, Role(role))):
        raise InputError(f"no forum of this crawl has the pattern {pattern}: `nephila forum show` lists them")
    typer.echo(f"{pattern} is {role} from now on")


async def _facts(state: Path) -> list[tuple[str, bytes]]:
    from nephila.crawling.state import State
    from nephila.errors import StateError
    from nephila.forum.guide import SPACE

    kept = State(state)
    if not kept.exists:
        raise StateError(f"there is no crawl at {state}")
    memory = kept.open_memory()
    try:
        return list(await memory.items(SPACE))
    finally:
        await memory.close()


async def _fix(state: Path, host: str | None, pattern: str, role: str) -> bool:
    from nephila.crawling.state import State
    from nephila.forum.guide import SPACE
    from nephila.forum.model import Role, SiteModel

    done = False
    memory = State(state).open_memory()
    try:
        for name, data in await _facts(state):
            model = SiteModel.from_json(data)
            if host not in (None, name) or pattern not in model.patterns:
                continue
            known = model.patterns[pattern]
            known.role, known.fixed = Role(role), True
            if known.id_slot is None:
                known.id_slot = known.choose_id(known.page_slot)
            await memory.put(SPACE, name, model.to_json())
            done = True
    finally:
        await memory.close()
    return done
