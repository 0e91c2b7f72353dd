"""Real servers for the tests, each on a free port of 127.0.0.1, started here and ended here."""
