"""What a JSON schema refuses, in words: value, requirement, remedy."""

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).parents[2] / "workflow/schemas/config.schema.json"
_FLOAT_AS_TEXT = re.compile(r"^[-+]?\d+(\.\d*)?[eE][-+]?\d+$")
_TYPES = {
    "integer": "an integer",
    "number": "a number",
    "string": "text",
    "boolean": "true or false",
    "object": "keys with values, `key: value`",
    "null": "null",
    "array": "a list",
}

FAMILIES = ("linear", "poly", "rbf", "laplacian", "sigmoid", "cosine")
"""The kernels that need no code."""

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Problem:
    """One thing wrong with the configuration: what is wrong, what was required and what to do.

    Its place holds the keys and indices from the root to the offending value.
    """

    place: Place
    what: str


def schema_problems(config: dict[str, Any]) -> Iterator[Problem]:
    """Yield what the schema refuses in a configuration."""
    # jsonschema takes a tenth of a second to import: only where it is used.
    from jsonschema import Draft202012Validator

    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    errors = Draft202012Validator(schema).iter_errors(config)
    for error in sorted(errors, key=lambda e: [str(part) for part in e.absolute_path]):
        place = tuple(error.absolute_path)
        if error.validator == "additionalProperties":
            if _is_unknown_kernel(error):
                continue
            known = list(error.schema.get("properties", {}))
            for key in error.instance:
                if key not in known:
                    yield Problem((*place, key), f"unknown key{_nearest(key, known)}")
        else:
            yield Problem(place, _explain(error, place))


def _explain(error: Any, place: Place) -> str:
    value, wanted = error.instance, error.validator_value
    shown = json.dumps(value, ensure_ascii=False, default=str)
    shown = shown if len(shown) < 60 else shown[:57] + "…"
    match error.validator:
        case "type" if isinstance(value, str) and _FLOAT_AS_TEXT.match(value):
            mantissa, exponent = re.split("[eE]", value)
            point = mantissa if "." in mantissa else f"{mantissa}.0"
            sign = "" if exponent[0] in "+-" else "+"
            return (
                f"{shown} is text, since YAML 1.1 wants a point and a signed exponent in a "
                f"number: write {point}e{sign}{exponent}"
            )
        case "type" if wanted == "array":
            return f"{shown} must be a list: write [{shown}]"
        case "type":
            names = [wanted] if isinstance(wanted, str) else wanted
            return f"{shown} must be {' or '.join(_TYPES.get(name, name) for name in names)}"
        case "required" if _is_unknown_kernel(error):
            return (
                f"unknown kernel{_nearest(str(place[-1]), FAMILIES)}; a kernel of your own "
                "needs `callable: package.module:function`"
            )
        case "required":
            missing = error.message.split("'")[1]
            known = error.schema.get("properties", {}).get(missing, {})
            return f"`{missing}` is missing: {known.get('description', 'add it')}"
        case "anyOf":
            return "no source: give one of `generator`, `sklearn`, `path` or `openml`"
        case "enum":
            return f"{shown} is none of {', '.join(map(str, wanted))}{_nearest(str(value), wanted)}"
        case "exclusiveMinimum":
            return f"{shown} must be greater than {wanted}"
        case "exclusiveMaximum":
            return f"{shown} must be less than {wanted}"
        case "minimum":
            return f"{shown} must be at least {wanted}"
        case "maximum":
            return f"{shown} must be at most {wanted}"
        case "minItems" | "minProperties":
            return "empty: give at least one entry, or leave the key out where it is optional"
        case "uniqueItems":
            return f"{shown} holds a value twice: remove one"
        case "maxLength":
            return f"{shown} is longer than {wanted} characters: choose a shorter name"
        case "pattern" if place == ("n_components",):
            return f"{shown} must be integers: n_components=2 or n_components=2,5"
        case "pattern" if error.schema.get("description", "").startswith("package") or (
            ":" in wanted
        ):
            return f"{shown} must read package.module:name"
        case "pattern":
            return f"{shown} must begin with a letter and hold letters, digits and _ only"
        case _:
            return str(error.message)


def _is_unknown_kernel(error: Any) -> bool:
    """Whether an error concerns a family that is neither known nor a kernel of the user's own."""
    return "callable" in error.schema.get("properties", {}) and "callable" not in error.instance


def _nearest(key: object, known: Iterable[object]) -> str:
    close = difflib.get_close_matches(str(key), [str(k) for k in known], n=1)
    if close:
        return f"; did you mean `{close[0]}`?"
    return f"; known are {', '.join(map(str, known))}" if known else ""
