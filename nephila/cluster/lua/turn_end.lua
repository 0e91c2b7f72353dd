-- with: asking turns
-- ARGV: 5 the host, 6 "1" if it was asked, then names of turns. Returns how many were still held.
local held = 0
for at = 7, #ARGV do held = held + call('ZREM', TURNS, ARGV[at]) end
if held > 0 and ARGV[6] == '1' then call('HSET', CLOCK, 'ended', exact(now)) end
return held
