-- The first values of the list (or some of the set) KEYS[1]; ARGV[5]: how many. Only reads.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'list' then return redis.call('LRANGE', KEYS[1], 0, tonumber(ARGV[5]) - 1) end
if kind == 'set' then return redis.call('SRANDMEMBER', KEYS[1], tonumber(ARGV[5])) end
return {}
