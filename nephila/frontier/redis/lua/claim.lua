-- with: asking tally buckets pages hosts queues leases
-- ARGV: 5 how many, 6 the worker, 7 seconds of a lease, 8 max_pages (empty: none), 9 max_attempts, 10 the mark of the
-- client's rules, 11 the newest token that the client has seen, 12 the client's rules for hosts that it was asked for.
-- Returns the time, the token before the first and the leases; or the time, false and the hosts to be ruled first.
local n, worker, rules = tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[10])

local function granted(first, count)
  local tokens = {}
  for token = first + 1, first + count do tokens[#tokens + 1] = whole(token) end
  local reply = {exact(now), whole(first)}
  for start = 1, #tokens, AT_ONCE do
    local last = math.min(start + AT_ONCE - 1, #tokens)
    for _, value in ipairs(call('HMGET', lease_key(worker), unpack(tokens, start, last))) do
      reply[#reply + 1] = value or ''
    end
  end
  return reply
end

local before_this = told_before()
if before_this then return granted(before_this[1], before_this[2]) end

local function apply_rules(blob)
  local at = 1
  while at <= #blob do
    local name, delay, shy, parallel
    name, delay, shy, parallel, at = read('>I2c0dBI3', blob, at)
    set_rule(host(name), delay, shy, parallel, rules)
  end
end

apply_rules(ARGV[12])
take_back_expired(tonumber(ARGV[9]))
save_hosts()

local room = math.min(n, tally.queued)
if ARGV[8] ~= '' then room = math.min(room, tonumber(ARGV[8]) - tally.run_done - tally.leased) end

local function window()
  local names, others = {}, {}
  if room > 0 then
    for place, member in ipairs(call('ZRANGEBYSCORE', P .. 'ready', '-inf', now, 'LIMIT', 0, room)) do
      names[place] = sub(member, 7)
    end
  end
  load_hosts(names)
  for _, name in ipairs(names) do
    if host(name).rules ~= rules then others[#others + 1] = name end
  end
  return names, others
end

local names, others = window()
if #others > 0 then
  save_tally()
  return {exact(now), false, unpack(others, 1, math.min(#others, AT_ONCE))}
end

-- Deals `room` places out one by one, in rounds, to the hosts that still have something to give.
local function even_shares()
  local shares, takers = {}, {}
  for place, name in ipairs(names) do
    local h = host(name)
    if h.waiting > 0 then promote(h) end
    shares[place] = 0
    takers[#takers + 1] = {place, math.min(free_connections(h), h.queued - h.waiting)}
  end
  local left, dealt = room, true
  while left > 0 and dealt do
    dealt = false
    for _, taker in ipairs(takers) do
      if left > 0 and shares[taker[1]] < taker[2] then
        shares[taker[1]] = shares[taker[1]] + 1
        left = left - 1
        dealt = true
      end
    end
  end
  return shares
end

tally.token = math.max(tally.token, tonumber(ARGV[11]))
local first, deadline = tally.token, exact(now + tonumber(ARGV[7]))
local leases, deadlines, reply = {}, {}, {exact(now), whole(first)}

local function grant(h, text)
  local token, fingerprint = tally.token + 1, fingerprint_of(text)
  call('HDEL', index_key(fingerprint), fingerprint)
  local value = '\0' .. carried(h.name, text)
  leases[#leases + 1] = whole(token)
  leases[#leases + 1] = value
  deadlines[#deadlines + 1] = deadline
  deadlines[#deadlines + 1] = deadline_of(worker, token)
  reply[#reply + 1] = value
  tally.token = token
  h.queued = h.queued - 1
  h.active = h.active + 1
  h.since = now
  h.turn = token
end

for place, share in ipairs(even_shares()) do
  if share > 0 then
    local h = host(names[place])
    for _, text in ipairs(take('q' .. h.name, share)) do grant(h, text) end
  end
end
local count = tally.token - first
tally.queued = tally.queued - count
tally.leased = tally.leased + count
in_portions('HSET', lease_key(worker), leases)
in_portions('ZADD', P .. 'deadlines', deadlines)
save_hosts()
save_tally()
if count > 0 then keep_answer({first, count}) end
return reply
