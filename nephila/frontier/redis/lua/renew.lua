-- with: asking tally buckets pages hosts queues leases
-- ARGV: 5 the leases (worker, token, fingerprint), 6 seconds of a lease. Returns the time, and 1 for each that is held.
local blob, at, reply = ARGV[5], 1, {exact(now)}
local deadline = now + tonumber(ARGV[6])
while at <= #blob do
  local worker, token, fingerprint
  worker, token, fingerprint, at = read('>I2c0I8c8', blob, at)
  local lease = held(worker, token, fingerprint)
  if lease then call('ZADD', P .. 'deadlines', deadline, deadline_of(worker, token)) end
  reply[#reply + 1] = lease and 1 or 0
end
return reply
