-- Facts of a space: m:<space> holds each, packed (when it expires or 0, its version, the value); n:<space> has their
-- names in order; `expiry` has those that expire, by date. A few expired ones go with every write.
local SWEPT_AT_ONCE = 16
local HEAD = 16

local function expiry_member(space, key) return write('>I4', #space) .. space .. key end

local function remove(space, key)
  call('HDEL', P .. 'm:' .. space, key)
  call('ZREM', P .. 'n:' .. space, key)
  call('ZREM', P .. 'expiry', expiry_member(space, key))
end

local function sweep()
  for _, member in ipairs(call('ZRANGEBYSCORE', P .. 'expiry', '-inf', now, 'LIMIT', 0, SWEPT_AT_ONCE)) do
    local size = read('>I4', member)
    remove(sub(member, 5, 4 + size), sub(member, 5 + size))
  end
end

-- The packed fact; nil when it is absent or expired.
local function present(value)
  if not value then return nil end
  local expires = read('>d', value)
  if expires ~= 0 and expires <= now then return nil end
  return value
end

local function store(space, key, expires, value)
  local version = call('INCR', KEYS[1])
  call('HSET', P .. 'm:' .. space, key, write('>dI8', expires, version) .. value)
  call('ZADD', P .. 'n:' .. space, 0, key)
  if expires == 0 then
    call('ZREM', P .. 'expiry', expiry_member(space, key))
  else
    call('ZADD', P .. 'expiry', expires, expiry_member(space, key))
  end
end
