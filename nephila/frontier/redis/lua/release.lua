-- with: asking tally buckets pages hosts queues leases
-- ARGV: 5 the worker, 6 whether it is dead: 1 or 0. All its leases go back without counting an attempt; returns how many.
local told = told_before()
if told then return told[1] end
local by_host, count = {}, 0
for _, token in ipairs(call('HKEYS', lease_key(ARGV[5]))) do
  local lease = held(ARGV[5], tonumber(token))
  end_lease(lease, false)
  push(by_host, lease.name, ARGV[6] == '1' and orphaned(lease.text) or lease.text)
  count = count + 1
end
if count > 0 then
  put_back(by_host)
  save_hosts()
  save_tally()
  keep_answer({count})
end
return count
