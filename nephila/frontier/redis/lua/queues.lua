-- URLs on their way into a queue, out of it, and to the dead letters.
-- A host's queue is the tree q<host>, in the order of rank and arrival. The body of a record:
-- fingerprint (8 bytes), attempts already used (2; the first bit: taken back from a worker that may be dead), the facts behind the rank (1 + n), what the last visit left (3 + n;
-- none before the first), and the rest, which only clients read.
-- On their way elsewhere, records carry the name of their host in front (2 + n).
-- The index (i<bucket>) tells for each fingerprint that is queued where: the order of arrival alone for the usual rank,
-- 'k' and the key for another, 'l' for one that is set back (`later`).
local USUAL = 867583393791 -- rank(0, None)
local PROMOTED_AT_ONCE = 1000

local function index_key(fingerprint) return P .. 'i' .. bucket(hash_of(fingerprint)) end

local function place_of(rank, order)
  return rank == USUAL and order or 'k' .. write('>I6I5', rank, order)
end

local function as_place(text)
  if sub(text, 1, 1) == 'k' then return read('>I6I5', text, 2) end
  return USUAL, tonumber(text)
end

local function fingerprint_of(text) return sub(text, 15, 22) end
local ORPHANED = 32768
local function attempts_of(text) return (read('>I2', text, 23)) % ORPHANED end

local function with_attempts(text, attempts)
  return sub(text, 1, 22) .. write('>I2', math.min(ORPHANED - 1, attempts)) .. sub(text, 25)
end

local function orphaned(text)
  return sub(text, 1, 22) .. write('>I2', attempts_of(text) + ORPHANED) .. sub(text, 25)
end

local function with_rank(text, rank, facts)
  local _, order = read('>I6I5', text)
  local old, at = read('>Bc0', text, 25)
  local body = sub(text, 15, 24) .. write('>Bc0', #facts, facts) .. sub(text, at)
  return record(rank, order, body), old
end

local function carried(name, text) return write('>I2c0', #name, name) .. text end

local function uncarried(value, start)
  local name, at = read('>I2c0', value, start or 1)
  return name, sub(value, at)
end

local function in_order(a, b) return before(a.rank, a.order, b.rank, b.order) end

local function ordered(texts)
  local items, sorted = {}, true
  for place, text in ipairs(texts) do
    local rank, order = read('>I6I5', text)
    items[place] = {rank = rank, order = order, text = text}
    sorted = sorted and (place == 1 or in_order(items[place - 1], items[place]))
  end
  if not sorted then table.sort(items, in_order) end
  return items
end

-- Into the queue of a host, without a change of its counts.
local function enqueue(name, texts)
  local items = ordered(texts)
  insert('q' .. name, items)
  for _, item in ipairs(items) do
    local fingerprint = fingerprint_of(item.text)
    call('HSET', index_key(fingerprint), fingerprint, place_of(item.rank, item.order))
  end
end

-- `by_host`: lists of records; to be claimed as soon as their hosts allow it.
local function put_back(by_host)
  for name, texts in pairs(by_host) do
    enqueue(name, texts)
    count_queued(host(name), #texts)
  end
end

local function push(by_host, name, text)
  local texts = by_host[name]
  if not texts then
    texts = {}
    by_host[name] = texts
  end
  texts[#texts + 1] = text
end

-- Not to be claimed before `ready_at`.
local function set_back(name, text, ready_at)
  if ready_at <= now then return put_back({[name] = {text}}) end
  local fingerprint, h = fingerprint_of(text), host(name)
  call('HSET', P .. 'later', fingerprint, carried(name, text))
  call('ZADD', P .. 'later:' .. name, ready_at, fingerprint)
  call('HSET', index_key(fingerprint), fingerprint, 'l')
  h.queued = h.queued + 1
  h.waiting = h.waiting + 1
  tally.queued = tally.queued + 1
end

-- Moves the host's URLs whose date has come into its queue; the rest of very many comes with the next claims.
local function promote(h)
  local key = P .. 'later:' .. h.name
  local due = call('ZRANGEBYSCORE', key, '-inf', now, 'LIMIT', 0, PROMOTED_AT_ONCE)
  if #due == 0 then return end
  local texts = {}
  for place, value in ipairs(call('HMGET', P .. 'later', unpack(due))) do
    local _, text = uncarried(value)
    texts[place] = text
  end
  call('ZREM', key, unpack(due))
  call('HDEL', P .. 'later', unpack(due))
  enqueue(h.name, texts)
  h.waiting = h.waiting - #due
end

-- To the dead letters: `dead` holds them, `dead_at` orders them by date and arrival.
local function bury(name, text, reason, attempts)
  local fingerprint = fingerprint_of(text)
  local value = write('>dI4I2c0', now, attempts, #reason, reason) .. carried(name, text)
  call('HSET', P .. 'dead', fingerprint, value)
  call('ZADD', P .. 'dead_at', now, sub(text, 7, 11) .. fingerprint)
  tally.dead = tally.dead + 1
end
