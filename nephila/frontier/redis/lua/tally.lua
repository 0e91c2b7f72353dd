-- The counts of the frontier, in KEYS[1]: counting millions takes seconds, keeping the counts costs nothing.
local COUNTS = {'queued', 'leased', 'done', 'dead', 'refused', 'run_done', 'token', 'urls', 'buckets'}
local tally = {}
for place, value in ipairs(call('HMGET', KEYS[1], unpack(COUNTS))) do
  tally[COUNTS[place]] = tonumber(value or 0)
end
if tally.buckets == 0 then tally.buckets = 1 end

local function save_tally()
  local values = {}
  for _, name in ipairs(COUNTS) do
    values[#values + 1] = name
    values[#values + 1] = tally[name]
  end
  call('HSET', KEYS[1], unpack(values))
end
