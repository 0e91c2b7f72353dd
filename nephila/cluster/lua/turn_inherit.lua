-- with: asking turns
-- ARGV: 5 the host, 6 a worker that is gone: all its turns have ended now.
local names, mine = call('ZRANGE', TURNS, 0, -1), ARGV[6] .. ' '
for _, name in ipairs(names) do
  if sub(name, 1, #mine) == mine then
    call('ZREM', TURNS, name)
    call('HSET', CLOCK, 'ended', exact(now))
  end
end
return 1
