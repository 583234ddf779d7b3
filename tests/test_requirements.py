"""The compiled requirement files hold pins and hashes, no address, and agree with pyproject.toml."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PIN = re.compile(r"([a-z0-9][a-z0-9.-]*)==([^ ;]+)(?: ; [^\\]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")
FILES = ("requirements.txt", "requirements-dev.txt")


def pins(lines: list[str]) -> dict[str, str]:
    return {match[1]: match[2] for line in lines if (match := PIN.fullmatch(line))}


def locked(name: str) -> dict[str, str]:
    return pins((ROOT / name).read_text(encoding="utf-8").splitlines())


def declared(requirements: list[str]) -> dict[str, str]:
    """Name and version of `name[extra]==version` lines."""
    parts = (requirement.split("==") for requirement in requirements)
    return {re.sub(r"\[.*\]", "", name): version for name, version in parts}


@pytest.fixture(scope="module")
def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FILES)
def test_a_compiled_file_holds_nothing_but_pins_and_hashes(name):
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not PIN.fullmatch(line) and not HASH.fullmatch(line)] == []


def test_the_runtime_file_pins_what_the_project_declares(project):
    wanted = declared(project["project"]["dependencies"])
    assert {name: locked("requirements.txt").get(name) for name in wanted} == wanted


def test_the_development_file_pins_what_the_group_declares(project):
    wanted = declared(project["dependency-groups"]["dev"])
    assert {name: locked("requirements-dev.txt").get(name) for name in wanted} == wanted


def test_the_development_file_holds_the_runtime_file_unchanged():
    runtime, development = locked("requirements.txt"), locked("requirements-dev.txt")
    assert {name: development.get(name) for name in runtime} == runtime
