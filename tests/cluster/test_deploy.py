"""What deploy/ promises: no root, nothing writable, time to drain. The image itself is tried in test_containers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
MANIFESTS = sorted((DEPLOY / "kubernetes").glob("*.yaml"))


def documents() -> list[dict[str, Any]]:
    return [document for path in MANIFESTS for document in yaml.safe_load_all(path.read_text())]


def named(kind: str, name: str) -> dict[str, Any]:
    return next(each for each in documents() if each["kind"] == kind and each["metadata"]["name"] == name)


def grace_of(command: list[str]) -> float:
    return float(command[command.index("--grace") + 1])


def test_the_image_runs_without_root() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    assert re.search(r"^ARG BASE=", text, re.MULTILINE)
    last_user = re.findall(r"^USER (\d+)", text, re.MULTILINE)[-1]
    assert int(last_user) > 0


@pytest.mark.parametrize("service", ["worker", "dashboard"])
def test_composed_services_can_write_nowhere_but_to_their_volumes(service: str) -> None:
    rules = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"][service]
    assert rules["read_only"]
    assert rules["cap_drop"] == ["ALL"]
    assert all(need["condition"] == "service_healthy" for need in rules["depends_on"].values())


def test_workers_get_more_time_to_stop_than_they_take() -> None:
    worker = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["worker"]
    assert float(worker["stop_grace_period"].removesuffix("s")) > grace_of(worker["command"]) + 10
    pod = named("Deployment", "nephila-worker")["spec"]["template"]["spec"]
    assert pod["terminationGracePeriodSeconds"] > grace_of(pod["containers"][0]["args"]) + 10


def test_workers_in_kubernetes_are_locked_down_and_may_be_evicted() -> None:
    pod = named("Deployment", "nephila-worker")["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"]
    rules = pod["containers"][0]["securityContext"]
    assert rules["readOnlyRootFilesystem"]
    assert not rules["allowPrivilegeEscalation"]
    assert named("PodDisruptionBudget", "nephila-worker")["spec"]["maxUnavailable"] == "50%"
    assert named("HorizontalPodAutoscaler", "nephila-worker")["spec"]["scaleTargetRef"]["name"] == "nephila-worker"


def test_every_manifest_is_in_the_kustomization() -> None:
    listed = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())["resources"]
    assert sorted(listed) == [path.name for path in MANIFESTS if path.name != "kustomization.yaml"]


def test_redis_keeps_what_it_is_told() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["redis"]["command"]
    manifest = named("StatefulSet", "nephila-redis")["spec"]["template"]["spec"]["containers"][0]["args"]
    for command in (compose, manifest):
        assert command[command.index("--appendonly") + 1] == "yes"
        assert command[command.index("--maxmemory-policy") + 1] == "noeviction"
