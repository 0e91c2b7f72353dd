-- with: asking tally buckets pages hosts queues adding
-- ARGV: 5 the entries. Returns how many were new.
local fresh = add(ARGV[5], 1)
save_hosts()
save_tally()
return fresh
