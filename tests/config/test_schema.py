"""The OpenAPI description and its page."""

import re
import subprocess
import sys
from collections import Counter

import pytest
import yaml
from django.core.management import call_command

METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    """Made with every warning an error, and checked against the OpenAPI specification."""
    path = tmp_path_factory.mktemp("schema") / "schema.yml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(path))
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def operations(schema):
    return {
        f"{method} {path}": operation
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    }


def test_it_is_openapi_3_1_without_warnings(schema):
    assert schema["openapi"] == "3.1.0"


def test_every_operation_has_a_summary(operations):
    assert [name for name, operation in operations.items() if not operation.get("summary")] == []


def test_every_parameter_of_a_query_says_what_it_is(operations):
    silent = [
        f"{name} {parameter['name']}"
        for name, operation in operations.items()
        for parameter in operation.get("parameters", [])
        if parameter["in"] == "query" and not parameter.get("description")
    ]
    assert silent == []


def test_every_operation_has_an_id_of_its_own(operations):
    counts = Counter(operation["operationId"] for operation in operations.values())
    assert [name for name, count in counts.items() if count > 1 or not re.fullmatch(r"[a-z]+(_[a-z]+)+", name)] == []


def test_every_operation_asks_for_a_credential(schema, operations):
    assert {str(operation["security"]) for operation in operations.values()} == {"[{'token': []}, {'session': []}]"}
    assert schema["components"]["securitySchemes"]["token"]["name"] == "Authorization"


def test_every_refusal_is_a_problem_document(operations):
    problem = {"application/problem+json"}
    typed = {"post /api/reservation/superagent/task-results 400": {*problem, "application/json"}}
    found = {
        f"{name} {status}": set(response["content"])
        for name, operation in operations.items()
        for status, response in operation["responses"].items()
        if status >= "400"
    }
    assert {place: kinds for place, kinds in found.items() if kinds != typed.get(place, problem)} == {}


def test_every_operation_says_how_it_refuses_a_credential(operations):
    missing = [name for name, operation in operations.items() if not {"401", "403"} <= operation["responses"].keys()]
    assert missing == []


def test_every_path_with_an_id_says_404(operations):
    assert [name for name, operation in operations.items() if "{" in name and "404" not in operation["responses"]] == []


def test_every_list_says_400_for_a_bad_filter(operations):
    with_query = [
        name
        for name, operation in operations.items()
        if any(parameter["in"] == "query" for parameter in operation.get("parameters", []))
        and "400" not in operation["responses"]
    ]
    assert with_query == []


def test_every_list_describes_its_paging(operations):
    paging = {"cursor", "page_size"}
    described = {
        name: paging <= {parameter["name"] for parameter in operation.get("parameters", [])}
        for name, operation in operations.items()
        if "Paginated" in str(operation["responses"])
    }
    assert "get /api/reservation/orders/{id}/tasks" in described
    assert [name for name, complete in described.items() if not complete] == []


def test_every_post_describes_its_idempotency_key(operations):
    posts = {name: operation for name, operation in operations.items() if name.startswith("post ")}
    key = {
        name: [one["name"] for one in operation["parameters"] if one["in"] == "header"]
        for name, operation in posts.items()
    }
    replayed = {
        name: {
            status
            for status, answer in operation["responses"].items()
            if "Idempotency-Replayed" in answer.get("headers", ())
        }
        for name, operation in posts.items()
    }
    assert "post /api/reservation/source-messages" in posts
    assert [name for name, headers in key.items() if "Idempotency-Key" not in headers] == []
    assert [name for name, statuses in replayed.items() if not {"400", "422"} < statuses] == []
    assert [name for name, operation in posts.items() if "409" not in operation["responses"]] == []


def test_filters_name_their_options(operations):
    parameters = operations["get /api/reservation/tasks"]["parameters"]
    routes = next(parameter["schema"]["enum"] for parameter in parameters if parameter["name"] == "route")
    assert len(routes) == 40
    assert {"S000", "S999"} & set(routes) == set()


def test_the_description_is_served_to_everybody(client, db):
    response = client.get("/api/schema/")
    assert (response.status_code, yaml.safe_load(response.content)["info"]["title"]) == (200, "Countersign")


@pytest.mark.parametrize(
    ("accept", "query", "kind"),
    [
        ("*/*", "", "application/vnd.oai.openapi"),
        ("application/json", "", "application/json"),
        ("*/*", "?format=json", "application/vnd.oai.openapi+json"),
        ("image/png", "?format=png", "application/vnd.oai.openapi"),
    ],
)
def test_the_description_comes_in_the_form_that_is_asked_for(accept, query, kind, client, db):
    response = client.get(f"/api/schema/{query}", headers={"accept": accept})
    assert (response.status_code, response["Content-Type"].partition(";")[0]) == (200, kind)


@pytest.mark.parametrize("path", ["/api/schema/", "/api/docs/"])
def test_both_pages_refuse_in_problem_documents(path, client, db):
    response = client.post(path)
    assert (response.status_code, response.json()["error_code"]) == (405, "METHOD_NOT_ALLOWED")


def test_the_page_names_no_other_host(client, db):
    page = client.get("/api/docs/").content.decode()
    assert re.findall(r"(?:https?:)?//[a-z][\w.-]+\.[a-z]+", page) == []


FIRST_CALLS = """
import threading
import django
django.setup()
from django.test import Client
answers = []
def call():
    answers.append(Client(raise_request_exception=False).get("/api/schema/").status_code)
threads = [threading.Thread(target=call) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(answers)
"""


def test_the_first_calls_of_a_process_may_come_side_by_side():
    called = subprocess.run(
        [sys.executable, "-c", FIRST_CALLS], capture_output=True, text=True, check=True, timeout=120
    )
    assert called.stdout.splitlines()[-1] == str([200] * 6)
