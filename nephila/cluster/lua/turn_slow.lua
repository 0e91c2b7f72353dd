-- with: asking turns
-- ARGV: 5 the host, 6 the name that asked for it, 7 a delay or empty, 8 seconds from now before which nobody may ask, or
-- empty. The newest delay holds; of several dates the latest.
if ARGV[7] ~= '' then call('HSET', CLOCK, 'd:' .. ARGV[6], ARGV[7]) end
if ARGV[8] ~= '' then
  local before = tonumber(call('HGET', CLOCK, 'until') or 0)
  call('HSET', CLOCK, 'until', exact(math.max(before, now + tonumber(ARGV[8]))))
end
return 1
