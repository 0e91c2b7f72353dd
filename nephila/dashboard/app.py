"""The application: page, REST interface and guards put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from nephila import __version__
from nephila.dashboard.api import routes
from nephila.dashboard.crawls import Crawls, RefusedError, UnknownError
from nephila.dashboard.guards import Guard, Rate, problem
from nephila.errors import NephilaError

_STATIC = Path(__file__).parent / "static"


def make_app(crawls: Crawls, *, hosts: frozenset[str], token: str | None = None, rate: Rate | None = None) -> ASGIApp:
    """`hosts`: the names under which it is reached. `token`: what strangers have to give; None on loopback."""

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        await crawls.close()

    app = FastAPI(
        title="Nephila",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        lifespan=life,
    )
    app.include_router(routes(crawls))
    app.mount("/static", StaticFiles(directory=_STATIC), name="static")

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(_STATIC / "index.html")

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        return problem(422, "Unprocessable Content", f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        headers = dict(error.headers or {})
        if error.status_code == 405:  # each method is a route of its own here: name those of all
            headers["Allow"] = ", ".join(sorted(_methods(app, request.url.path)))
        return problem(error.status_code, str(error.detail), str(error.detail), **headers)

    @app.exception_handler(NephilaError)
    async def failed(_: Request, error: NephilaError) -> Response:
        status = 404 if isinstance(error, UnknownError) else 409 if isinstance(error, RefusedError) else 422
        return problem(status, {404: "Not Found", 409: "Conflict"}.get(status, "Unprocessable Content"), str(error))

    _build(app)
    return Guard(app, hosts, token, rate)


def _build(app: FastAPI) -> None:
    """FastAPI makes the included routes ready when it first looks for one: now, so that no visitor waits for it."""
    for route in app.routes:
        route.matches({"type": "http", "method": "GET", "path": "/", "root_path": "", "path_params": {}, "headers": []})


def _methods(app: FastAPI, path: str) -> set[str]:
    """What may be done with a path."""
    routes = [route for route in app.routes if isinstance(route, APIRoute) and route.path_regex.match(path)]
    return {method for route in routes for method in route.methods or ()}
