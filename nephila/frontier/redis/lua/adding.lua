-- Adding: dedupe, the trap budget of URL families, and the better rank for what is still queued.
-- The account of a family is one number: URLs let in, plus NOVEL for each visit that brought something new. What it has
-- no budget for is parked (k<family>, a list; `parked` names the families): a trap never earns it, real pages do.
local NOVEL = 67108864
local NOVEL_EARNS = 2
local NO_BUDGET = 4294967295
local UNPARKED_AT_ONCE = 1000

local function account_key(family) return P .. 'f' .. bucket(hash_of(family)) end

-- Queues up to `room` parked URLs of a family, the oldest first.
local function unpark(family, room)
  if room <= 0 then return end
  local values = call('LPOP', P .. 'k' .. family, math.min(room, UNPARKED_AT_ONCE))
  if not values then return end
  local by_host = {}
  for _, value in ipairs(values) do
    local name, text = uncarried(value)
    push(by_host, name, text)
  end
  put_back(by_host)
  call('HINCRBY', account_key(family), family, #values)
  tally.refused = tally.refused - #values
  if call('EXISTS', P .. 'k' .. family) == 0 then call('SREM', P .. 'parked', family) end
end

local function room_in(account, budget)
  local novel = math.floor(account / NOVEL)
  return budget + NOVEL_EARNS * novel - account % NOVEL
end

-- A visit brought something that its family had not shown before.
local function credit(family, budget)
  local account = call('HINCRBY', account_key(family), family, NOVEL)
  if tally.refused > 0 then unpark(family, room_in(account, budget)) end
end

local function admits(family, budget)
  if budget == NO_BUDGET or family == '' then return true end
  local key = account_key(family)
  if room_in(call('HINCRBY', key, family, 1), budget) >= 0 then return true end
  call('HINCRBY', key, family, -1)
  return false
end

-- A known URL that is still queued takes the better rank.
local function improve(name, fingerprint, rank, facts)
  local place = call('HGET', index_key(fingerprint), fingerprint)
  if not place then return end
  if place == 'l' then
    local value = call('HGET', P .. 'later', fingerprint)
    local _, text = uncarried(value)
    if rank < read('>I6', text) then
      call('HSET', P .. 'later', fingerprint, carried(name, (with_rank(text, rank, facts))))
    end
    return
  end
  local old_rank, order = as_place(place)
  if rank >= old_rank then return end
  local text = take_out('q' .. name, old_rank, order)
  if text then enqueue(name, {(with_rank(text, rank, facts))}) end
end

local function park(entries)
  for _, entry in ipairs(entries) do
    tally.urls = tally.urls + 1
    local key = P .. 'k' .. entry.family
    local value = carried(entry.name, record(entry.rank, tally.urls, entry.body))
    if call('RPUSH', key, value) == 1 then call('SADD', P .. 'parked', entry.family) end
  end
  tally.refused = tally.refused + #entries
end

-- The hosts of a batch, each with the client's rule for it.
local function read_hosts(blob, at)
  local names, rules, count = {}, 0, 0
  rules, count, at = read('>I4I4', blob, at)
  for place = 1, count do
    local name, delay, shy, parallel
    name, delay, shy, parallel, at = read('>I2c0dBI3', blob, at)
    names[place] = {name, delay, shy, parallel}
  end
  local plain = {}
  for place, known in ipairs(names) do plain[place] = known[1] end
  load_hosts(plain)
  for _, known in ipairs(names) do set_rule(host(known[1]), known[2], known[3], known[4], rules) end
  return plain, at
end

-- Adds the entries of `blob` from `at` on; returns how many were new.
local function add(blob, at)
  local budget, count, names
  budget, at = read('>I4', blob, at)
  names, at = read_hosts(blob, at)
  count, at = read('>I4', blob, at)
  if budget == NO_BUDGET and tally.refused > 0 then -- the job was given no bound since
    for _, family in ipairs(call('SRANDMEMBER', P .. 'parked', 100)) do unpark(family, UNPARKED_AT_ONCE) end
  end
  local fresh, over, by_host = 0, {}, {}
  for _ = 1, count do
    local place, rank, hash, decimals, fingerprint, family, facts, rest
    place, rank, hash, decimals, fingerprint, family, facts, rest, at = read('>I2I6I3Bc0c8Bc0Bc0I3c0', blob, at)
    local name = names[place]
    if call('SADD', P .. 's' .. bucket(hash), decimals) == 0 then
      improve(name, fingerprint, rank, facts)
    else
      local body = write('>c8I2Bc0I3', fingerprint, 0, #facts, facts, 0) .. rest
      if admits(family, budget) then
        fresh = fresh + 1
        push(by_host, name, record(rank, tally.urls + fresh, body))
      else
        over[#over + 1] = {name = name, rank = rank, family = family, body = body}
      end
    end
  end
  tally.urls = tally.urls + fresh
  put_back(by_host)
  park(over)
  make_room()
  return fresh
end
