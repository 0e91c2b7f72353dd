-- Leases: l:<worker> holds each under its token, `deadlines` orders them by their deadline. The value: 1 if its request
-- is over, else 0 (1 byte), the record, carried. A lease is valid while it is there, past its deadline too, and only for
-- the fingerprint that it was given for: a server that lost its last second may give a token again.
local function lease_key(worker) return P .. 'l:' .. worker end
local function deadline_of(worker, token) return whole(token) .. ' ' .. worker end

local function held(worker, token, fingerprint)
  local value = call('HGET', lease_key(worker), whole(token))
  if not value then return nil end
  local name, text = uncarried(value, 2)
  if fingerprint and fingerprint_of(text) ~= fingerprint then return nil end
  return {worker = worker, token = token, over = sub(value, 1, 1) == '\1', name = name, text = text}
end

local function end_lease(lease, told)
  if not lease.over then end_request(host(lease.name), told) end
  call('HDEL', lease_key(lease.worker), whole(lease.token))
  call('ZREM', P .. 'deadlines', deadline_of(lease.worker, lease.token))
  tally.leased = tally.leased - 1
end

local EXPIRED_AT_ONCE = 1000

-- An expired lease has cost an attempt; the page may be the one that kills its workers.
local function take_back_expired(max_attempts)
  local by_host, count = {}, 0
  for _, member in ipairs(call('ZRANGEBYSCORE', P .. 'deadlines', '-inf', now, 'LIMIT', 0, EXPIRED_AT_ONCE)) do
    local token, worker = string.match(member, '^(%d+) (.*)$')
    local lease = held(worker, tonumber(token))
    end_lease(lease, false)
    local attempt = attempts_of(lease.text) + 1
    if attempt >= max_attempts then
      bury(lease.name, lease.text, 'lease expired', attempt)
    else
      push(by_host, lease.name, orphaned(with_attempts(lease.text, attempt)))
    end
    count = count + 1
  end
  put_back(by_host)
  return count
end
