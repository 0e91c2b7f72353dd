-- with: asking turns
-- ARGV: 5 the host, 6 the worker, 7 turns wanted, 8 the job's delay, 9 its parallel requests, 10 seconds till a turn is
-- lost. Returns the seconds till it is worth asking again (empty: when somebody has ended), then the names of the turns.
local told = told_before()
if told then return told end
sweep_turns()
local delay, ready = clocks(tonumber(ARGV[8]))
local room = (delay > 0 and 1 or tonumber(ARGV[9])) - call('ZCARD', TURNS)
if room <= 0 then return {''} end
if ready > now then return {exact(ready - now)} end
local answer = {'0'}
for number = 1, math.min(room, tonumber(ARGV[7])) do
  local name = ARGV[6] .. ' ' .. ARGV[2] .. '.' .. ARGV[3] .. '.' .. number
  call('ZADD', TURNS, exact(now + tonumber(ARGV[10])), name)
  answer[#answer + 1] = name
end
return keep_answer(answer)
