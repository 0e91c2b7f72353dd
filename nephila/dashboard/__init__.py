"""The dashboard: a web page on loopback that starts crawls, watches them and looks into what they brought.

`crawls` are state directories below one root, each run by a process of its own (`runner`), so that the dashboard may
come and go; `api` is the REST interface under it, `live` sends figures and records as they come, `views` shows a page
beside its text, `guards` keeps strangers out. Nothing of a crawled page ever runs in it.
"""
