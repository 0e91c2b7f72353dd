"""Every output: 20,000 records with the writer killed (SIGKILL) at 10 random moments, and how many it takes a second.

    python -m benchmarks.sinks                      # every output, then the table and the plot
    python -m benchmarks.sinks --only parquet,warc --records 2000

The writer commits segments of 100 deliveries and notes what was acked; killed, it starts again and offers first what it
has not seen acked, and some that it has. In the end each record must be there once, read by the libraries that its
readers would use. Rates are of one writer that is left alone, segments of 500, the servers on the same machine.
"""
