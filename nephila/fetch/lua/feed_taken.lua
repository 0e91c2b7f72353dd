-- Takes the values ARGV[5], ... off the list or set KEYS[1]: they are in the frontier. Twice is harmless.
local kind = redis.call('TYPE', KEYS[1]).ok
for place = 5, #ARGV do
  if kind == 'list' then redis.call('LREM', KEYS[1], 1, ARGV[place]) end
  if kind == 'set' then redis.call('SREM', KEYS[1], ARGV[place]) end
end
return 0
