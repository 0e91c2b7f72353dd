-- with: asking turns
-- ARGV: 5 the host, 6 seconds from now, then names of turns: those still held last so long.
for at = 7, #ARGV do call('ZADD', TURNS, 'XX', exact(now + tonumber(ARGV[6])), ARGV[at]) end
return 1
