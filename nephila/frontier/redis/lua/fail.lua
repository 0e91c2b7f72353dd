-- with: asking tally buckets pages hosts queues leases
-- ARGV: 5 the lease (worker, token, fingerprint), 6 seconds until the retry (empty: none), 7 max_attempts, 8 the reason.
local told = told_before()
if told then return told[1] end
local worker, token, fingerprint = read('>I2c0I8c8', ARGV[5])
local lease = held(worker, token, fingerprint)
if not lease then return 0 end
end_lease(lease, true)
local attempt = attempts_of(lease.text) + 1
if ARGV[6] == '' or attempt >= tonumber(ARGV[7]) then
  bury(lease.name, lease.text, ARGV[8], attempt)
else
  set_back(lease.name, with_attempts(lease.text, attempt), now + tonumber(ARGV[6]))
end
save_hosts()
save_tally()
keep_answer({1})
return 1
