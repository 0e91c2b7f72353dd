"""What a sample site is to the server process: something that starts on a port and tells its addresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from nephila.demo.kit.log import RequestLog, arrival


class Site(Protocol):
    """A site (or a family of them, on several ports) that the server process can run."""

    name: str

    async def start(self, host: str, port: int, log: RequestLog) -> Mapping[str, str]:
        """Listens on `port` (0: any free one) and returns the addresses by name; the site's own name is among them."""
        ...

    async def stop(self) -> None: ...


class AppSite:
    """A site that is an aiohttp application; `build` makes a fresh one, so that no state outlives a run."""

    def __init__(self, name: str, build: Callable[[], web.Application]) -> None:
        self.name = name
        self._build = build
        self._runner: web.AppRunner | None = None

    async def start(self, host: str, port: int, log: RequestLog) -> Mapping[str, str]:
        app = self._build()
        app.middlewares.insert(0, _recorder(self.name, log))
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False)
        await self._runner.setup()
        listener = web.TCPSite(self._runner, host, port, shutdown_timeout=1)
        await listener.start()
        bound = self._runner.addresses[0][1]
        return {self.name: f"http://{host}:{bound}/"}

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()


def _recorder(site: str, log: RequestLog) -> Middleware:
    @web.middleware
    async def record(request: web.Request, handler: Handler) -> web.StreamResponse:
        at = arrival()
        status = 500
        try:
            response = await handler(request)
            status = response.status
            return response
        except web.HTTPException as answer:
            status = answer.status
            raise
        finally:
            log.write(
                at=at,
                site=site,
                host=request.host,
                method=request.method,
                path=request.raw_path,
                status=status,
                agent=request.headers.get("User-Agent", ""),
                peer=request.remote or "",
            )

    return record
