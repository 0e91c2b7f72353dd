"""Blocks -> Markdown: `blocks` writes headings, lists, tables, quotes and listings, `inline` what is within a block."""
