"""AutoScraper on the pages of one site: a process of the peers' environment, driven by `benchmarks.wrappers.peers`.

Reads a JSON object a line from stdin: `page` (labelled, HTML), `wanted` (field -> value as shown), `pages` (HTML); and
answers with one: `found` (a dictionary field -> first value, a page), CPU seconds of `build` and of each page.
"""

from __future__ import annotations

import json
import sys
import time


def main() -> None:
    import bs4
    from autoscraper import AutoScraper

    print(json.dumps({"bs4": bs4.__version__}), flush=True)
    for line in sys.stdin:
        job = json.loads(line)
        scraper = AutoScraper()
        start = time.process_time()
        # `build` unescapes what it is given and compares with the page's texts: a field a time, as its users do.
        scraper.build(html=job["page"], wanted_dict={field: [value] for field, value in job["wanted"].items()})
        built = time.process_time() - start
        found, taken = [], []
        for page in job["pages"]:
            start = time.process_time()
            exact = scraper.get_result_exact(html=page, group_by_alias=True)
            taken.append(time.process_time() - start)
            found.append({field: values[0] for field, values in exact.items() if values})
        print(json.dumps({"found": found, "build": built, "read": taken}), flush=True)


if __name__ == "__main__":
    main()
