"""The part of the REST interface that is about learned rules."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from nephila.dashboard import models
from nephila.dashboard.crawls import Crawls
from nephila.dashboard.rules import Rules
from nephila.wrappers.edits import Edits

_Name = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
_Site = Annotated[str, Path(pattern=r"^[A-Za-z0-9._:\[\]-]{1,255}$", description="As the list of rules names it.")]
_Group = Annotated[str, Path(pattern=r"^[A-Za-z0-9._-]{1,100}$")]


def add_rules(router: APIRouter, crawls: Crawls) -> None:
    rules, template = Rules(crawls), "/crawls/{name}/rules/{site}/{group}"

    @router.get("/crawls/{name}/rules", response_model=list[models.Template], summary="The rules that it has learned")
    async def all_rules(name: _Name) -> list[dict[str, Any]]:
        return await rules.all(name)

    @router.patch(template, response_model=models.Template, summary="Accept rules, or change their fields")
    async def edit(name: _Name, site: _Site, group: _Group, edits: models.RuleEdits) -> dict[str, Any]:
        return await rules.edit(name, site, group, Edits(edits.rename, edits.types, edits.many, edits.drop))

    @router.delete(template, status_code=204, summary="Forget rules: they are learned anew")
    async def forget(name: _Name, site: _Site, group: _Group) -> Response:
        await rules.forget(name, site, group)
        return Response(status_code=204)

    @router.get(template + "/test", response_model=list[models.Tried], summary="What they find on the stored pages")
    async def tried(
        name: _Name, site: _Site, group: _Group, limit: Annotated[int, Query(ge=1, le=100)] = 10
    ) -> list[dict[str, Any]]:
        return await rules.tried(name, site, group, limit)

    @router.post(template + "/fix", response_model=models.Template, summary="Mend a field by one value of one page")
    async def mend(name: _Name, site: _Site, group: _Group, correction: models.Correction) -> dict[str, Any]:
        return await rules.mend(name, site, group, correction.record, correction.field, correction.value)
