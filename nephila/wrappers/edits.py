"""What a person changes about a template. Knows templates.

An edit makes the template the person's own: it stays as it is when rules are learned again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from nephila.errors import InputError
from nephila.wrappers.template import Field, Template
from nephila.wrappers.values import TYPES

_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Edits:
    """Each by the name that the field has now. Without any change, the template is accepted as it is."""

    rename: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    many: Mapping[str, bool] = field(default_factory=dict)
    """Whether all values are taken that stand side by side."""
    drop: Sequence[str] = ()

    def apply(self, template: Template) -> Template:
        """The changed template; InputError says what does not fit."""
        fields = {each.name: each for each in template.fields}
        for name in (*self.rename, *self.types, *self.many, *self.drop):
            if name not in fields:
                raise InputError(f"there is no field {name!r}; there are: {', '.join(fields)}")
        kept = [self._changed(each) for name, each in fields.items() if name not in self.drop]
        names = [each.name for each in kept]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise InputError(f"two fields would be called {twice[0]!r}")
        return replace(template, fields=kept, origin="edited", _finder=None)

    def _changed(self, each: Field) -> Field:
        name, kind = self.rename.get(each.name, each.name), self.types.get(each.name, each.type)
        if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
            raise InputError(f"{name!r} is no name for a field: one line of at most {_LONGEST_NAME} characters")
        if kind not in TYPES:
            raise InputError(f"there is no type {kind!r}: use one of {', '.join(TYPES)}")
        many = self.many.get(each.name, each.many)
        if (name, kind, many) == (each.name, each.type, each.many):
            return each
        return replace(each, name=name, type=kind, many=many, origin="edited")
