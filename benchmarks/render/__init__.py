"""Pages drawn by a browser: Nephila's pool and crawl beside a bare Playwright loop and scrapy-playwright."""
