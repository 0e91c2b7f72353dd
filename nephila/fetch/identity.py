"""Who we say we are: the User-Agent with a contact, and the client's options made from a job."""

from __future__ import annotations

from urllib.parse import urlsplit

from nephila import __version__
from nephila.fetch.client import ClientOptions
from nephila.job import Job
from nephila.urls import registered_domain

PRODUCT = "Nephila"
"""The product token that robots.txt groups are matched against."""


def user_agent(job: Job) -> str:
    """`Nephila/0.1 (+contact)`, so that the owner of a site can find out who asks, and tell them to stop."""
    return job.http.user_agent or f"{PRODUCT}/{__version__} (+{job.http.contact or 'no contact given'})"


def client_options(job: Job) -> ClientOptions:
    http, limits = job.http, job.limits
    return ClientOptions(
        user_agent=user_agent(job),
        headers=http.headers,
        cookies=http.cookies,
        home=frozenset(registered_domain(urlsplit(seed).hostname or "") for seed in job.seeds),
        proxy=http.proxy,
        proxies=tuple({site.proxy for site in job.sites.values() if site.proxy}),
        verify_tls=http.verify_tls,
        allow_private=http.allow_private,
        timeout=limits.timeout,
        stall=limits.stall,
        max_body=limits.max_body,
        connections=job.politeness.concurrency * 2,
    )
