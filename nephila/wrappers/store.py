"""The rule store: templates by site and group, versioned, and the prior that grows with every accepted site.

Kept in a `Memory`: one SQLite file on one machine, the shared store of a cluster on many. Knows the memory's
contract, templates and profiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import orjson

from nephila.memory.base import Memory
from nephila.wrappers.groups import Groups
from nephila.wrappers.lexicon import known_field
from nephila.wrappers.prior import Profile
from nephila.wrappers.template import FORMAT, Template

TEMPLATES, HISTORY, GROUPS, PRIOR = "wrappers.template", "wrappers.history", "wrappers.groups", "wrappers.prior"
KEPT_VERSIONS = 5
_MOST_PRIOR_VALUES = 2_000


class RuleStore:
    """What is known of how sites write their records."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def get(self, site: str, group: str) -> Template | None:
        data = await self._memory.get(TEMPLATES, f"{site}/{group}")
        return Template.from_dict(orjson.loads(data)) if data else None

    async def put(self, template: Template) -> Template:
        """Stores the template as the next version; the one before is kept as history."""
        key = f"{template.site}/{template.group}"
        replaced: list[bytes] = []

        def change(before: bytes | None) -> bytes:
            replaced[:] = [before] if before else []
            version = int(orjson.loads(before)["version"]) + 1 if before else 1
            return orjson.dumps(replace(template, version=version).to_dict())

        written = await self._memory.update(TEMPLATES, key, change)
        if replaced:
            version = int(orjson.loads(replaced[0])["version"])
            await self._memory.put(HISTORY, f"{key}/{version:06d}", replaced[0])
            for old, _ in (await self._memory.items(HISTORY, f"{key}/"))[:-KEPT_VERSIONS]:
                await self._memory.update(HISTORY, old, lambda _: None)
        return Template.from_dict(orjson.loads(written or b"{}"))

    async def templates(self, site: str = "") -> list[Template]:
        """All templates, of one site where it is named."""
        found = await self._memory.items(TEMPLATES, f"{site}/" if site else "")
        return [Template.from_dict(orjson.loads(data)) for _, data in found]

    async def versions(self, site: str, group: str) -> list[Template]:
        """Those that were replaced, the oldest first."""
        found = await self._memory.items(HISTORY, f"{site}/{group}/")
        return [Template.from_dict(orjson.loads(data)) for _, data in found]

    async def remove(self, site: str, group: str) -> None:
        await self._memory.update(TEMPLATES, f"{site}/{group}", lambda _: None)

    # -- groups --------------------------------------------------------------------------------------------------------

    async def groups(self, site: str) -> Groups:
        data = await self._memory.get(GROUPS, site)
        return Groups.from_dict(orjson.loads(data)) if data else Groups()

    async def share_groups(self, site: str, groups: Groups) -> Groups:
        """Merges what this worker saw with what the others did."""

        def change(before: bytes | None) -> bytes:
            known = Groups.from_dict(orjson.loads(before)) if before else Groups()
            known.merge(groups)
            return orjson.dumps(known.to_dict())

        return Groups.from_dict(orjson.loads(await self._memory.update(GROUPS, site, change) or b"{}"))

    # -- prior ---------------------------------------------------------------------------------------------------------

    async def prior(self) -> dict[str, Profile]:
        """Field -> what accepted sites taught of it."""
        found = await self._memory.items(PRIOR)
        return {name: Profile.from_dict(orjson.loads(data)) for name, data in found}

    async def accept(self, template: Template) -> None:
        """Teaches the prior the fields of a template that are sure, under names that others share."""
        for each in template.fields:
            if each.profile is None or each.confidence < 0.8 or not known_field(each.name).kinds:
                continue
            profile = each.profile

            def change(before: bytes | None, profile: Profile = profile) -> bytes:
                known = Profile.from_dict(orjson.loads(before)) if before else Profile(profile.name)
                known.merge(profile, _MOST_PRIOR_VALUES)
                return orjson.dumps(known.to_dict())

            await self._memory.update(PRIOR, each.name, change)


def exported(templates: Iterable[Template], groups: Mapping[str, Groups]) -> bytes:
    """A rule file: readable, with XPath and CSS of each rule, and able to come back."""
    data = {
        "format": FORMAT,
        "templates": [template.to_dict() for template in templates],
        "groups": {site: each.to_dict() for site, each in groups.items()},
    }
    return orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n"


def imported(data: bytes) -> tuple[list[Template], dict[str, Groups]]:
    """The templates and groups of a rule file. Raises ValueError when it is none."""
    try:
        read: Any = orjson.loads(data)
        if read["format"] != FORMAT:
            raise ValueError(f"a rule file of format {read['format']}, and this version reads {FORMAT}")
        templates = [Template.from_dict(each) for each in read["templates"]]
        return templates, {site: Groups.from_dict(each) for site, each in read.get("groups", {}).items()}
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise ValueError(f"no rule file: {error}") from None
