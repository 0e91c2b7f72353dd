-- Hosts and their politeness: who may be asked, when, and how often at once. `hosts` holds each as one packed value;
-- `ready` orders those that may be asked by the instant at which they may, then by the token of their last lease.
-- A host keeps the rule that a client told of it (delay, parallel) and a mark of that client's set of rules: a client
-- with other rules is asked for its own before it gets a lease (claim.lua).
-- `met` counts the requests whose end a worker has told; as long as they are fewer than `shy`, FEW may be in flight.
local PACKED = '>I5I4I4ddddI6BdBI3I4d'
local FEW = 2
local hosts = {}

local function new_host(name)
  return {
    name = name, queued = 0, waiting = 0, active = 0, asked = 0, ended = 0, backoff = 0, since = 0, turn = 0, met = 0,
    delay = 0, shy = 0, parallel = 1, rules = 0, next_at = -1, last_turn = 0,
  }
end

local function unpacked(name, text)
  local h = {name = name}
  h.queued, h.waiting, h.active, h.asked, h.ended, h.backoff, h.since, h.turn, h.met, h.delay, h.shy, h.parallel,
    h.rules, h.next_at = read(PACKED, text)
  h.last_turn = h.turn
  return h
end

local function load_hosts(names)
  local missing = {}
  for _, name in ipairs(names) do
    if not hosts[name] then
      missing[#missing + 1] = name
      hosts[name] = true
    end
  end
  for first = 1, #missing, AT_ONCE do
    local last = math.min(first + AT_ONCE - 1, #missing)
    for place, text in ipairs(call('HMGET', P .. 'hosts', unpack(missing, first, last))) do
      local name = missing[first + place - 1]
      hosts[name] = text and unpacked(name, text) or new_host(name)
    end
  end
end

local function host(name)
  if not hosts[name] then load_hosts({name}) end
  return hosts[name]
end

local function set_rule(h, delay, shy, parallel, rules)
  h.delay, h.shy, h.parallel, h.rules = delay, shy, parallel, rules
end

local function delay_of(h) return math.max(h.delay, h.asked) end
local function opens_at(h) return math.max(h.ended + delay_of(h), h.backoff) end

local function connections(h)
  if h.met == 0 or delay_of(h) > 0 then return 1 end
  return math.max(1, h.met < h.shy and math.min(h.parallel, FEW) or h.parallel)
end

local function free_connections(h)
  if opens_at(h) > now then return 0 end
  return math.max(0, connections(h) - h.active)
end

-- `count` more may be claimed; a host that had none begins to wait for its turn now.
local function count_queued(h, count)
  if h.queued == h.waiting then h.since = now end
  h.queued = h.queued + count
  tally.queued = tally.queued + count
end

-- Frees a connection and starts the delay clock; `told` by the worker, not concluded from its silence.
local function end_request(h, told, unasked)
  h.active = h.active - 1
  if unasked then return end
  if told then h.met = math.min(h.met + 1, 255) end
  h.ended = math.max(h.ended, now)
end

local function next_turn(h)
  if h.queued == 0 or h.active >= connections(h) then return -1 end
  local at = math.max(opens_at(h), h.since)
  if h.queued > h.waiting then return at end
  local first = call('ZRANGE', P .. 'later:' .. h.name, 0, 0, 'WITHSCORES')
  return math.max(at, tonumber(first[2]))
end

local function turn_of(turn, name) return write('>I6', turn) .. name end

local function save_hosts()
  local values, off, on = {}, {}, {}
  for name, h in pairs(hosts) do
    local at = next_turn(h)
    if at ~= h.next_at or h.turn ~= h.last_turn then
      if h.next_at >= 0 and (at < 0 or h.turn ~= h.last_turn) then off[#off + 1] = turn_of(h.last_turn, name) end
      if at >= 0 then
        on[#on + 1] = at
        on[#on + 1] = turn_of(h.turn, name)
      end
      h.next_at, h.last_turn = at, h.turn
    end
    values[#values + 1] = name
    values[#values + 1] = write(PACKED, h.queued, h.waiting, h.active, h.asked, h.ended, h.backoff, h.since, h.turn,
      h.met, h.delay, h.shy, h.parallel, h.rules, h.next_at)
  end
  in_portions('ZREM', P .. 'ready', off)
  in_portions('ZADD', P .. 'ready', on)
  in_portions('HSET', P .. 'hosts', values)
end
