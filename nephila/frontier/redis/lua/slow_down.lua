-- with: asking tally hosts
-- ARGV: 5 the host with the client's rule and mark, 6 the delay that it asked for, 7 seconds to leave it alone; or empty.
local rules, name, delay, shy, parallel = read('>I4I2c0dBI3', ARGV[5])
local h = host(name)
set_rule(h, delay, shy, parallel, rules)
if ARGV[6] ~= '' then h.asked = math.max(0, tonumber(ARGV[6])) end
if ARGV[7] ~= '' then h.backoff = math.max(h.backoff, now + tonumber(ARGV[7])) end
save_hosts()
return 0
