-- with: asking tally buckets pages hosts queues
-- ARGV: 5 how many of the oldest, or 0; 6 fingerprints (8 bytes each). Dead letters go back with fresh attempts.
local told = told_before()
if told then return told[1] end
local chosen = {}
if ARGV[5] ~= '0' then
  for _, member in ipairs(call('ZRANGE', P .. 'dead_at', 0, tonumber(ARGV[5]) - 1)) do
    chosen[#chosen + 1] = sub(member, 6)
  end
end
for at = 1, #ARGV[6], 8 do chosen[#chosen + 1] = sub(ARGV[6], at, at + 7) end
local by_host, count = {}, 0
for _, fingerprint in ipairs(chosen) do
  local value = call('HGET', P .. 'dead', fingerprint)
  if value then
    local _, _, _, at = read('>dI4I2c0', value)
    local name, text = uncarried(value, at)
    call('HDEL', P .. 'dead', fingerprint)
    call('ZREM', P .. 'dead_at', sub(text, 7, 11) .. fingerprint)
    push(by_host, name, with_attempts(text, 0))
    count = count + 1
  end
end
if count > 0 then
  tally.dead = tally.dead - count
  put_back(by_host)
  save_hosts()
  save_tally()
  keep_answer({count})
end
return count
