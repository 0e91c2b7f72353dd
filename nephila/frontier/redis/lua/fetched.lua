-- with: asking tally buckets pages hosts queues leases
-- ARGV: 5 the leases (worker, token, fingerprint), 6 whether their hosts were asked: 1 or 0. Once for each lease, however
-- often it is said.
local blob, at = ARGV[5], 1
while at <= #blob do
  local worker, token, fingerprint
  worker, token, fingerprint, at = read('>I2c0I8c8', blob, at)
  local lease = held(worker, token, fingerprint)
  if lease and not lease.over then
    call('HSET', lease_key(worker), whole(token), '\1' .. carried(lease.name, lease.text))
    end_request(host(lease.name), true, ARGV[6] == '0')
  end
end
save_hosts()
return 0
