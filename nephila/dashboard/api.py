"""The REST interface: crawls, their figures, hosts, dead letters and records. Errors are problem details."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.responses import HTMLResponse, Response, StreamingResponse

from nephila.dashboard import models
from nephila.dashboard.crawls import Crawls, UnknownError
from nephila.dashboard.live import events
from nephila.dashboard.rules_api import add_rules
from nephila.dashboard.views import PAGE_POLICY, marked_page
from nephila.frontier import HostStats
from nephila.sinks.shelved import Shelf, Shelved

_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Problem, "content": {"application/problem+json": {}}, "description": meaning}
    for status, meaning in (
        (400, "What was sent cannot be read"),
        (401, "The token is missing"),
        (403, "The request was made by another site"),
        (404, "There is no such thing"),
        (409, "The crawl is in a state that does not allow it"),
        (413, "Too much was sent"),
        (422, "What was sent does not fit"),
        (429, "Too many requests"),
    )
}
_Name = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
_Number = Annotated[int, Path(ge=1, le=2**62)]
_Limit = Annotated[int, Query(ge=1, le=1000)]


def routes(crawls: Crawls) -> APIRouter:  # noqa: C901 - a list of handlers
    router = APIRouter(prefix="/api/v1", responses=_PROBLEMS)

    @router.get("/crawls", response_model=list[models.Crawl], summary="Every crawl, the newest first")
    async def all_crawls() -> list[dict[str, Any]]:
        return [await crawls.overview(name) for name in await crawls.names()]

    @router.post("/crawls", response_model=models.Crawl, status_code=201, summary="Start a crawl")
    async def start(new: models.NewCrawl) -> dict[str, Any]:
        return await crawls.overview(await crawls.start(new.job, new.name))

    @router.get("/crawls/{name}", response_model=models.Crawl, summary="One crawl")
    async def crawl(name: _Name) -> dict[str, Any]:
        return await crawls.overview(name)

    @router.get("/crawls/{name}/job", summary="Its job, as it was given")
    async def job(name: _Name) -> dict[str, Any]:
        shown: dict[str, Any] = _without_secrets(await crawls.job(name) or {})
        return shown

    @router.patch("/crawls/{name}", response_model=models.Crawl, summary="Change limits and politeness")
    async def change(name: _Name, change: models.Change) -> dict[str, Any]:
        await crawls.edit(name, change.model_dump(exclude_none=True))
        return await crawls.overview(name)

    @router.delete("/crawls/{name}", status_code=204, summary="Remove a crawl with all that it brought")
    async def remove(name: _Name) -> Response:
        await crawls.remove(name)
        return Response(status_code=204)

    @router.post("/crawls/{name}/pause", response_model=models.Crawl, summary="Drain it; it can go on later")
    async def pause(name: _Name) -> dict[str, Any]:
        await crawls.pause(name)
        return await crawls.overview(name)

    @router.post("/crawls/{name}/resume", response_model=models.Crawl, summary="Let it go on")
    async def resume(name: _Name) -> dict[str, Any]:
        await crawls.resume(name)
        return await crawls.overview(name)

    @router.post("/crawls/{name}/cancel", response_model=models.Crawl, summary="Stop it for good")
    async def cancel(name: _Name) -> dict[str, Any]:
        await crawls.cancel(name)
        return await crawls.overview(name)

    @router.get("/crawls/{name}/hosts", response_model=list[HostStats], summary="The hosts with the longest queues")
    async def hosts(name: _Name, limit: _Limit = 100) -> list[HostStats]:
        return await crawls.hosts(name, limit)

    @router.get("/crawls/{name}/sites", response_model=list[models.Fact], summary="What it has learned of its sites")
    async def sites(name: _Name) -> list[dict[str, Any]]:
        return await crawls.sites(name)

    @router.get("/crawls/{name}/dead", response_model=list[models.Letter], summary="URLs that were given up")
    async def dead(
        name: _Name, limit: _Limit = 100, offset: Annotated[int, Query(ge=0, le=2**31)] = 0
    ) -> list[dict[str, Any]]:
        return await crawls.dead(name, limit, offset)

    @router.post("/crawls/{name}/dead/replay", response_model=models.Replayed, summary="Try given-up URLs again")
    async def replay(name: _Name, which: models.Replay) -> dict[str, int]:
        if which.fingerprints is None:
            return {"queued": await crawls.replay(name, None)}
        numbers = [number for each in which.fingerprints if -(2**63) <= (number := int(each)) < 2**63]
        return {"queued": await crawls.replay(name, numbers) if numbers else 0}

    @router.get("/crawls/{name}/records", response_model=list[Shelved], summary="Records, the newest first")
    async def records(
        name: _Name,
        search: Annotated[str, Query(max_length=200)] = "",
        before: Annotated[int | None, Query(ge=1, le=2**62)] = None,
        limit: _Limit = 50,
    ) -> list[Shelved]:
        shelf = await crawls.shelf(name)
        return await asyncio.to_thread(shelf.records, search, before, 0, limit) if shelf is not None else []

    @router.get("/crawls/{name}/records/{number}", summary="A record, in full")
    async def record(name: _Name, number: _Number) -> dict[str, Any]:
        return await asyncio.to_thread((await _shelf(crawls, name)).record, number)

    @router.get("/crawls/{name}/records/{number}/page", response_class=HTMLResponse, summary="Its page, marked")
    async def page(name: _Name, number: _Number) -> Response:
        copy = await asyncio.to_thread((await _shelf(crawls, name)).page, number)
        if copy is None:
            raise UnknownError("there is no copy of this page any more: the newest are kept")
        html = await asyncio.to_thread(marked_page, copy)
        return HTMLResponse(html, headers={"content-security-policy": PAGE_POLICY})

    add_rules(router, crawls)

    @router.get("/crawls/{name}/events", response_class=StreamingResponse, summary="Figures and records as they come")
    async def stream(name: _Name) -> Response:
        await crawls.word(name)  # 404 rather than a stream that never begins
        return StreamingResponse(events(crawls, name), media_type="text/event-stream")

    return router


async def _shelf(crawls: Crawls, name: str) -> Shelf:
    shelf = await crawls.shelf(name)
    if shelf is None:
        raise UnknownError(
            f"{name} has no shelf: start it with an output such as -o records.shelf in its state directory"
        )
    return shelf


_SECRET = frozenset({"headers", "cookies", "proxy", "login", "password"})


def _without_secrets(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: "***" if key in _SECRET and value else _without_secrets(value) for key, value in data.items()}
    return [_without_secrets(each) for each in data] if isinstance(data, list) else data
