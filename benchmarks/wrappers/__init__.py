"""Rule induction measured on real sites with gold answers; each file is one measurement of docs/rules.md."""
