-- with: asking tally buckets pages hosts queues adding leases
-- ARGV: 5 the visits, 6 the entries found (empty: none), 7 the family budget, 8 the recrawl intervals: start, min, max,
-- the factors after a change and after none. Returns the tokens that were valid.
-- Acks first, so that a page's own novelty pays for the links that it brought; all in this one step.
local told = told_before()
if told then return told end

local budget = tonumber(ARGV[7])
local start, least, most, shorter, longer = read('>ddddd', ARGV[8])
-- A write that a server without memory refuses, before anything is changed: acks and links are one.
if ARGV[6] ~= '' then call('HSET', KEYS[1], 'urls', tally.urls) end

-- What a visit leaves: how many there were (3 bytes), the interval to the next (5), and the validators, for clients.
local function visited(text, changed, validators)
  local facts, last, at = read('>Bc0I3c0', text, 25)
  local visits, every = 0, start
  if last ~= '' then
    visits, every = read('>I3I5', last)
    every = every * (changed and shorter or longer)
  end
  every = math.min(most, math.max(least, every))
  local kept = write('>I3I5', visits + 1, math.floor(every + 0.5)) .. validators
  local body = sub(text, 15, 22) .. write('>I2Bc0I3c0', 0, #facts, facts, #kept, kept) .. sub(text, at)
  local rank, order = read('>I6I5', text)
  return record(rank, order, body), math.ceil(now + every), order
end

local blob, at, accepted, done = ARGV[5], 1, {}, {}
while at <= #blob do
  local worker, token, fingerprint, flags, family, validators
  worker, token, fingerprint, flags, family, validators, at = read('>I2c0I8c8BBc0I3c0', blob, at)
  local lease = held(worker, token, fingerprint)
  if lease then
    end_lease(lease, true)
    accepted[#accepted + 1] = whole(token)
    local text, due, order = visited(lease.text, flags % 2 == 1, validators)
    done[#done + 1] = {rank = due, order = order, text = record(due, order, carried(lease.name, text))}
    tally.done = tally.done + 1
    if flags % 4 >= 2 then tally.run_done = tally.run_done + 1 end
    if flags >= 4 and family ~= '' and budget ~= NO_BUDGET then credit(family, budget) end
  end
end
if #done > 0 then
  table.sort(done, in_order)
  insert('v', done)
end
if ARGV[6] ~= '' then add(ARGV[6], 1) end
save_hosts()
save_tally()
return keep_answer(accepted)
