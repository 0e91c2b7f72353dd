"""The work of `nephila learn` and `nephila rules`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import orjson
import typer

from nephila.cli.extracting import fetch_page, page_files, read_file_bytes
from nephila.crawling.state import State
from nephila.document import Document, parse
from nephila.errors import ConfigError, InputError
from nephila.memory import SqliteMemory
from nephila.urls import registered_domain
from nephila.wrappers.book import RuleBook
from nephila.wrappers.edits import Edits
from nephila.wrappers.fix import fix
from nephila.wrappers.groups import Groups, similarity, sketch
from nephila.wrappers.learn import Lesson, learn
from nephila.wrappers.noise import NoiseFilter
from nephila.wrappers.outline import Outline
from nephila.wrappers.roadrunner import MismatchError, count_fields, expression, induce_pair
from nephila.wrappers.selectors import xpath
from nephila.wrappers.store import RuleStore, exported, imported
from nephila.wrappers.structured import structured_facts
from nephila.wrappers.template import Template

METHODS = ("slots", "roadrunner")
_FEWEST_PAGES = 3


@dataclass(frozen=True, slots=True)
class Learning:
    """What the user of `learn` asked for."""

    output: Path | None
    state: Path | None
    site: str | None
    fields: list[str] | None
    method: str
    noise: list[Path]
    allow_private: bool

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise InputError(f"there is no method {self.method!r}: use --method {', '.join(METHODS)}")


# -- learning ----------------------------------------------------------------------------------------------------------


def learn_rules(sources: Sequence[str], wanted: Learning) -> None:
    documents = _documents(sources, wanted.allow_private)
    if wanted.method == "roadrunner":
        _print_wrapper(documents)
        return
    if len(documents) < _FEWEST_PAGES:
        raise InputError(f"{len(documents)} pages are too few: name {_FEWEST_PAGES} at least, better 10 to 20")
    site = wanted.site or _site_of(documents)
    groups, lessons = _grouped(documents, NoiseFilter.from_lists(wanted.noise) if wanted.noise else NoiseFilter())

    async def work() -> list[Template]:
        async with _opened(None, wanted.state) as store:
            prior = await store.prior()
            learned = []
            for name, pages in lessons.items():
                if len(pages) < _FEWEST_PAGES:
                    continue
                template = learn(pages, site, name, prior, wanted.fields)
                if template.fields:
                    learned.append(await store.put(template))
            await store.share_groups(site, groups)
            return learned

    templates = asyncio.run(work())
    if not templates:
        raise InputError("no template has enough pages alike: give more pages of one kind (3 at least)")
    if wanted.output is not None:
        _write(wanted.output, exported(templates, {site: groups}))
    for template in templates:
        _print_template(template, lessons[template.group])


def _grouped(documents: Sequence[Document], noise: NoiseFilter) -> tuple[Groups, dict[str, list[Lesson]]]:
    groups = Groups()
    lessons: dict[str, list[Lesson]] = {}
    for document in documents:
        outline = Outline(document)
        noise.clean(outline)
        lessons.setdefault(groups.place(sketch(outline)).name, []).append(Lesson(outline, *structured_facts(document)))
    return groups, lessons


def _print_template(template: Template, lessons: Sequence[Lesson]) -> None:
    typer.echo(f"{template.site}/{template.group}  {template.kind or 'unknown type'}  {template.pages} pages")
    reading = template.read(lessons[0].outline)
    for each in template.fields:
        value = str(reading.values.get(each.name, "")).replace("\n", " ")
        typer.echo(f"  {each.name:22} {each.type:9} {each.confidence:4.2f}  {value[:70]}")


def _print_wrapper(documents: Sequence[Document]) -> None:
    if len(documents) != 2:
        raise InputError(f"RoadRunner takes two pages, not {len(documents)}")
    try:
        wrapper = induce_pair(*documents)
    except MismatchError as error:
        raise InputError(f"no wrapper: {error} (similarity {similarity(*documents):.2f})") from None
    typer.echo(expression(wrapper))
    counts = ", ".join(f"{number} {name}" for name, number in count_fields(wrapper).items())
    typer.echo(f"similarity {similarity(*documents):.2f}; {counts}", err=True)


def _site_of(documents: Sequence[Document]) -> str:
    for document in documents:
        if document.url and (host := urlsplit(document.url).hostname):
            return registered_domain(host) or host
    return "local"


def _documents(sources: Sequence[str], allow_private: bool) -> list[Document]:
    found = []
    for source in sources:
        if source.startswith(("http://", "https://")):
            address, body = asyncio.run(fetch_page(source, allow_private))
            found.append(parse(body, address))
        elif Path(source).is_dir():
            found += [parse(read_file_bytes(path)) for path in page_files(Path(source))]
        else:
            found.append(parse(read_file_bytes(Path(source))))
    return found


# -- the store at hand -------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _opened(rules: Path | None, state: Path | None, *, changed: bool = False) -> AsyncIterator[RuleStore]:
    """The rules of a file or of a crawl's state; a file is written back where it was changed."""
    if rules is not None:
        with TemporaryDirectory() as directory:
            memory = SqliteMemory(Path(directory) / "rules.sqlite")
            store = RuleStore(memory)
            templates, groups = _imported(rules)
            for template in templates:
                await store.put(template)
            for site, each in groups.items():
                await store.share_groups(site, each)
            yield store
            if changed:
                _write(rules, exported(await store.templates(), groups))
            await memory.close()
        return
    if state is not None:
        State(state).create()
        kept = State(state).open_memory()
        yield RuleStore(kept)
        await kept.close()
        return
    with TemporaryDirectory() as directory:
        memory = SqliteMemory(Path(directory) / "rules.sqlite")
        yield RuleStore(memory)
        await memory.close()


def _need(rules: Path | None, state: Path | None) -> None:
    if rules is None and state is None:
        raise ConfigError("name the rules: --rules FILE, or --state DIR of a crawl")
    if rules is None and state is not None and not (state / "memory.sqlite").exists():
        raise ConfigError(f"{state} is no state directory of a crawl")


def _imported(path: Path) -> tuple[list[Template], dict[str, Groups]]:
    book = RuleBook.load(path)
    return book.templates, book.groups


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def _chosen(templates: Sequence[Template], name: str) -> Template:
    site, _, group = name.partition("/")
    found = [each for each in templates if each.site == site and group in ("", each.group)]
    if len(found) != 1:
        known = ", ".join(f"{each.site}/{each.group}" for each in templates[:8]) or "none"
        raise InputError(f"{'no' if not found else 'more than one'} template is {name!r}; there are: {known}")
    return found[0]


async def _book(store: RuleStore) -> RuleBook:
    templates = await store.templates()
    return RuleBook(templates, {site: await store.groups(site) for site in {each.site for each in templates}})


# -- looking -----------------------------------------------------------------------------------------------------------


def list_templates(rules: Path | None, state: Path | None) -> None:
    _need(rules, state)

    async def work() -> list[Template]:
        async with _opened(rules, state) as store:
            return await store.templates()

    found = asyncio.run(work())
    for each in found:
        names = ", ".join(part.name for part in each.fields)
        typer.echo(f"{each.site}/{each.group}  v{each.version}  {each.kind or '-'}  {each.origin}  {names}")
    if not found:
        typer.echo("no rules yet", err=True)


def show_template(name: str, rules: Path | None, state: Path | None, as_json: bool) -> None:
    _need(rules, state)

    async def work() -> Template:
        async with _opened(rules, state) as store:
            return _chosen(await store.templates(), name)

    template = asyncio.run(work())
    if as_json:
        typer.echo(orjson.dumps(template.to_dict(), option=orjson.OPT_INDENT_2).decode())
        return
    typer.echo(f"{template.site}/{template.group}  v{template.version}  {template.kind or 'unknown type'}")
    for each in template.fields:
        typer.echo(
            f"{each.name} ({each.type}{', many' if each.many else ''}; {each.origin}; sure {each.confidence:.2f}; "
            f"on {each.coverage:.0%} of the pages; {each.agreement:.0%} agree)"
        )
        for rule in each.rules:
            typer.echo(f"    {rule.family:6} {rule.weight:4.2f}  {xpath(rule)}")


def try_pages(pages: Sequence[str], rules: Path | None, state: Path | None, allow_private: bool) -> int:
    _need(rules, state)

    async def load() -> RuleBook:
        async with _opened(rules, state) as store:
            return await _book(store)

    book, failed = asyncio.run(load()), 0
    for page, document in zip(pages, _documents(pages, allow_private), strict=True):
        template, reading = book.read(document, _site_of([document]))
        typer.echo(f"{page}: {f'{template.site}/{template.group}' if template else 'no template fits'}")
        failed += template is None
        for name, value in reading.values.items():
            typer.echo(f"  {name:22} {reading.agreement.get(name, 1.0):4.0%}  {str(value)[:90]}")
    return 1 if failed else 0


# -- changing ----------------------------------------------------------------------------------------------------------


def edits(rename: Sequence[str], drop: Sequence[str], types: Sequence[str], many: Sequence[str]) -> Edits:
    """As written on the command line."""
    return Edits(
        rename=dict(_pair(pair, "--rename") for pair in rename),
        types=dict(_pair(pair, "--type") for pair in types),
        many=dict.fromkeys(many, True),
        drop=drop,
    )


def _pair(text: str, option: str) -> tuple[str, str]:
    before, equals, after = text.partition("=")
    if not before or not equals or not after:
        raise InputError(f"{option} takes FIELD=VALUE, not {text!r}")
    return before, after


def edit_template(name: str, rules: Path | None, state: Path | None, edits: Edits) -> None:
    _need(rules, state)

    async def work() -> Template:
        async with _opened(rules, state, changed=True) as store:
            return await store.put(edits.apply(_chosen(await store.templates(), name)))

    template = asyncio.run(work())
    typer.echo(f"{template.site}/{template.group} v{template.version}: {', '.join(e.name for e in template.fields)}")


def fix_field(
    page: str, name: str, value: str, rules: Path | None, state: Path | None, others: list[str], allow_private: bool
) -> None:
    _need(rules, state)
    document = _documents([page], allow_private)[0]
    outline = Outline(document)
    more = [Outline(each) for each in _documents(others, allow_private)]

    async def work() -> Template:
        async with _opened(rules, state, changed=True) as store:
            template = (await _book(store)).match(outline, _site_of([document]))
            if template is None:
                raise InputError(f"no template fits {page}: learn its rules first")
            return await store.put(fix(template, outline, name, value, more))

    template = asyncio.run(work())
    found = template.read(outline).texts.get(name, [])
    typer.echo(f"{template.site}/{template.group} v{template.version}: {name} is {', '.join(found)!r} on this page")


def export_to(output: Path, rules: Path | None, state: Path | None, site: str) -> None:
    _need(rules, state)

    async def work() -> tuple[list[Template], dict[str, Groups]]:
        async with _opened(rules, state) as store:
            templates = await store.templates(site)
            return templates, {name: await store.groups(name) for name in {each.site for each in templates}}

    templates, groups = asyncio.run(work())
    _write(output, exported(templates, groups))
    typer.echo(f"{len(templates)} templates written to {output}")


def import_from(source: Path, state: Path) -> None:
    try:
        templates, groups = imported(source.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"cannot use the rules {source}: {error}") from None

    async def work() -> None:
        async with _opened(None, state) as store:
            for template in templates:
                await store.put(template)
            for site, each in groups.items():
                await store.share_groups(site, each)

    asyncio.run(work())
    typer.echo(f"{len(templates)} templates are in {state}")
