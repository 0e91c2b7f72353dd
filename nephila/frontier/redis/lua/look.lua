-- with: asking tally
-- The counts, the number of hosts, the first turn of a host and the first deadline of a lease; only reads.
local reply = {exact(now), call('HLEN', P .. 'hosts')}
for _, key in ipairs({'ready', 'deadlines'}) do
  reply[#reply + 1] = call('ZRANGE', P .. key, 0, 0, 'WITHSCORES')[2] or ''
end
for _, name in ipairs(COUNTS) do reply[#reply + 1] = tally[name] end
return reply
