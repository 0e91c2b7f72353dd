-- A host's turns, shared by the tasks of a job: turn:<host> has who asks it now, by the date until which they may;
-- clock:<host> when the last request ended (`ended`), before which date nobody may ask (`until`), and the delays that
-- were asked for, one a host of the same place (`d:<host>`).
local TURNS, CLOCK = P .. 'turn:' .. ARGV[5], P .. 'clock:' .. ARGV[5]

-- One that was not given back in time counts as ended now.
local function sweep_turns()
  if call('ZREMRANGEBYSCORE', TURNS, '-inf', exact(now)) > 0 then call('HSET', CLOCK, 'ended', exact(now)) end
end

-- The seconds between two requests, and when the next one may begin as far as the clocks tell.
local function clocks(least)
  local delay, ended, waits = least, nil, 0
  local facts = call('HGETALL', CLOCK)
  for at = 1, #facts, 2 do
    local value = tonumber(facts[at + 1])
    if facts[at] == 'ended' then ended = value
    elseif facts[at] == 'until' then waits = value
    elseif value > delay then delay = value end
  end
  return delay, math.max(waits, ended and ended + delay or 0)
end
