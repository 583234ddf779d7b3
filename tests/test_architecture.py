"""The rules of the house that import contracts and linters cannot say. Each failure lists the places and what to do.

The doors of an app are its modules `admin`, `api`, `management`, `mcp`, `views`, `tools`; everything is read from the
source tree, so a new app or module is under the rules from its first line.
"""

import ast
import importlib
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from config import errors
from reservations.domain import states

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = sorted(path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests")
DOORS = {"admin", "api", "management", "mcp", "views", "tools"}
WRITES = {
    "save",
    "create",
    "delete",
    "bulk_create",
    "bulk_update",
    "get_or_create",
    "update_or_create",
    "raw",
    "execute",
}
DOMAIN_MAY_IMPORT = {"config.errors", "agentviews.domain.toolview", "pydantic", "pydantic_core"}
NAMELESS = {"common", "core", "utils", "util", "helpers", "misc"}

# A door that writes although it should not: "path:call" -> why it may.
WRITING_DOORS: dict[str, str] = {}

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def sources() -> dict[Path, ast.Module]:
    """Every module of the project outside tests and migrations, by its path from the root."""
    found = [
        path for name in PACKAGES for path in sorted((ROOT / name).rglob("*.py")) if "migrations" not in path.parts
    ]
    return {path.relative_to(ROOT): ast.parse(path.read_text(encoding="utf-8")) for path in found}


def modules_in(*names: str) -> Iterator[tuple[Path, ast.Module]]:
    """Modules that are, or lie in, a module of one of these names below their app."""
    for path, tree in sources().items():
        if set(names) & set(path.with_suffix("").parts[1:]):
            yield path, tree


def functions(tree: ast.AST) -> Iterator[FunctionNode]:
    return (node for node in ast.walk(tree) if isinstance(node, FunctionNode))


def imported_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, dotted module) of every import; `from a.b import c` counts as a.b."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")


def module_name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def test_doors_leave_writing_to_services():
    found = {f"{path}:{call}" for path, tree in modules_in(*DOORS) for call in written_calls(tree)}
    assert found - WRITING_DOORS.keys() == set(), "call a service instead"
    assert WRITING_DOORS.keys() - found == set(), "these exceptions are no longer needed"


def written_calls(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            # QuerySet.update takes keywords only; dict and hash updates take a value.
            if name in WRITES or (name == "update" and node.keywords and not node.args):
                yield ast.unparse(node.func)


def test_nothing_listens_to_signals():
    found = [
        f"{path}:{line} {name}"
        for path, tree in sources().items()
        for line, name in imported_names(tree)
        if name == "django.dispatch" or name.endswith(".signals")
    ]
    assert found == [], "call a service where the thing happens"


def test_imports_stand_at_the_top_of_the_module():
    found = [
        f"{path}:{node.lineno}"
        for path, tree in sources().items()
        for function in functions(tree)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert found == [], "an import inside a function hides a dependency or a cycle"


def test_functions_have_at_most_50_lines():
    found = [
        f"{path}:{node.lineno} {node.name}: {node.end_lineno - node.lineno + 1} lines"
        for path, tree in sources().items()
        for node in functions(tree)
        if (node.end_lineno or 0) - node.lineno >= 50
    ]
    assert found == [], "split by what the parts mean"


def test_modules_have_at_most_400_lines():
    counts = {str(path): len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in sources()}
    assert {path: count for path, count in counts.items() if count > 400} == {}, "make it a package of the same name"


def test_no_module_is_a_drawer_for_everything():
    found = [str(path) for path in sources() if NAMELESS & set(path.with_suffix("").parts)]
    assert found == [], "a function lives with the noun it serves"


def test_the_package_config_runs_nothing_when_imported():
    assert (ROOT / "config/__init__.py").read_text(encoding="utf-8") == ""


def test_domains_import_only_the_standard_library_pydantic_and_the_kinds_of_refusals():
    found = [
        f"{path}:{line} {name}"
        for path, tree in modules_in("domain")
        for line, name in imported_names(tree)
        if not domain_may_import(path, name)
    ]
    assert found == [], "pass it in as an argument"


def domain_may_import(path: Path, name: str) -> bool:
    own_domain = f"{path.parts[0]}.domain"
    return (
        name in DOMAIN_MAY_IMPORT
        or name.split(".")[0] in sys.stdlib_module_names
        or name == own_domain
        or name.startswith(f"{own_domain}.")
    )


def test_services_that_doors_call_take_keywords_only_and_are_annotated():
    called = set(services_called_from_outside())
    found = [
        f"{path}:{node.lineno} {node.name}"
        for path, tree in modules_in("services")
        for node in tree.body
        if isinstance(node, FunctionNode) and (module_name(path), node.name) in called and not is_plain_service(node)
    ]
    assert found == [], "def name(*, argument: Type) -> Result"


def services_called_from_outside() -> Iterator[tuple[str, str]]:
    """(module, function) that a module outside any services imports, or reads from an imported services module."""
    for path, tree in sources().items():
        if "services" in path.with_suffix("").parts:
            continue
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names = {
            alias.asname or alias.name: (node.module or "", alias.name) for node in imports for alias in node.names
        }
        yield from names.values()
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
                yield ".".join(names[node.value.id]), node.attr


def is_plain_service(node: FunctionNode) -> bool:
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    everything_typed = all(argument.annotation for argument in arguments.kwonlyargs) and node.returns is not None
    return not positional and arguments.vararg is None and arguments.kwarg is None and everything_typed


@cache
def refusals() -> list[type[errors.DomainError]]:
    """All named refusals. The kinds of config.errors have no code; only their subclasses are raised."""
    for path in sources():
        if path.stem == "errors" or path.is_relative_to("config/api"):
            importlib.import_module(module_name(path))
    found, waiting = [], list(errors.DomainError.__subclasses__())
    while waiting:
        found.append(kind := waiting.pop())
        waiting.extend(kind.__subclasses__())
    ours = [kind for kind in found if kind.__module__.split(".")[0] in PACKAGES]
    return [kind for kind in ours if kind.__module__ != errors.__name__ or "code" in vars(kind)]


def test_every_refusal_has_a_code_of_its_own():
    codes = Counter(vars(kind).get("code", f"{kind.__name__} has none") for kind in refusals())
    assert [code for code, count in codes.items() if count > 1 or not re.fullmatch(r"[A-Z][A-Z0-9_]+", code)] == []


def test_every_refusal_says_a_sentence():
    found = [kind.__name__ for kind in refusals() if not str(getattr(kind, "sentence", "")).endswith(".")]
    assert found == [], "sentence = 'What is wrong, and what to do.'"


def test_every_refusal_stands_in_the_error_reference():
    reference = (ROOT / "docs/reference/errors.md").read_text(encoding="utf-8")
    assert [kind.code for kind in refusals() if f"| {kind.code} |" not in reference] == [], "run manage.py write_docs"


def test_every_task_state_is_left_by_a_move_or_final():
    left = {move.source for move in states.MOVES} - {None}
    assert sorted([*left, *states.FINAL]) == sorted(states.TaskStatus)


def test_every_task_state_is_reached_by_a_move():
    assert {move.target for move in states.MOVES} == set(states.TaskStatus)


def test_the_example_environment_names_exactly_the_variables_that_are_read():
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    read = {name for path, tree in sources().items() if path.parts[0] == "config" for name in variables_read(tree)}
    assert set(re.findall(r"^(?:# ?)?([A-Z][A-Z0-9_]*)=", example, re.MULTILINE)) == read


def variables_read(tree: ast.Module) -> Iterator[str]:
    """Names given to the readers of config.env, called as env.text(...) or imported from it."""
    readers = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "config.env"
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            function = ast.unparse(node.func)
            if function in readers or function.startswith("env."):
                yield str(node.args[0].value)


@pytest.fixture(scope="module")
def contracts() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]


def test_every_package_is_under_the_import_contracts(contracts):
    assert contracts["root_packages"] == PACKAGES


def test_every_app_is_under_the_layers_inside_an_app(contracts):
    apps = {
        module_name(path.parent) for path in sources() if path.name == "models.py" or path.parts[1:2] == ("models",)
    }
    containers = next(contract["containers"] for contract in contracts["contracts"] if "containers" in contract)
    assert {name.removesuffix(".models") for name in apps} == set(containers)


def test_every_module_of_config_has_its_place_between_the_layers(contracts):
    layers = " ".join(contracts["contracts"][0]["layers"])
    placed = set(re.findall(r"config\.(\w+)", layers))
    assert {path.with_suffix("").parts[1] for path in sources() if path.parts[0] == "config"} - {
        "__init__"
    } - placed == set()
