-- Buckets by fingerprint, as many as there is need for (linear hashing: they split one by one, in turn).
-- Three kinds share one numbering: s<n> the fingerprints ever seen, as decimals in a set that Redis keeps as a sorted
-- array of 8-byte integers (its default bound for that is 512 members); i<n> where the queued ones are (queues.lua);
-- f<n> the accounts of URL families. A bucket holds 64 to 128 URLs: short enough to be searched, long enough that
-- a key's own weight (some 80 bytes) is a byte a URL.
local LOAD = 96
local HASHED = 16777216

local M = 1
while M * 2 <= tally.buckets do M = M * 2 end

local function bucket(hash)
  local place = hash % (2 * M)
  if place >= tally.buckets then place = place % M end
  return place
end

-- The last 24 bits of a fingerprint, from its 8 bytes or from its decimals (which a Lua number cannot hold exactly).
local function hash_of(fingerprint)
  return (read('>I3', fingerprint, 6))
end

local function hash_of_decimals(text)
  local negative = sub(text, 1, 1) == '-'
  if negative then text = sub(text, 2) end
  local high, low = sub(text, 1, -11), sub(text, -10)
  local value = ((tonumber(high) or 0) * 779264 + tonumber(low)) % HASHED -- 10^10 modulo 2^24
  if negative then value = (HASHED - value) % HASHED end
  return value
end

local function split_hash(kind, from, to)
  local pairs_there = call('HGETALL', P .. kind .. from)
  local moved, gone = {}, {}
  for at = 1, #pairs_there, 2 do
    if hash_of(pairs_there[at]) % (2 * M) == to then
      gone[#gone + 1] = pairs_there[at]
      moved[#moved + 1] = pairs_there[at]
      moved[#moved + 1] = pairs_there[at + 1]
    end
  end
  if #gone > 0 then
    in_portions('HDEL', P .. kind .. from, gone)
    in_portions('HSET', P .. kind .. to, moved)
  end
end

local function split_bucket()
  local from, to = tally.buckets - M, tally.buckets
  local moved = {}
  for _, text in ipairs(call('SMEMBERS', P .. 's' .. from)) do
    if hash_of_decimals(text) % (2 * M) == to then moved[#moved + 1] = text end
  end
  if #moved > 0 then
    in_portions('SREM', P .. 's' .. from, moved)
    in_portions('SADD', P .. 's' .. to, moved)
  end
  split_hash('i', from, to)
  split_hash('f', from, to)
  tally.buckets = tally.buckets + 1
  if tally.buckets == 2 * M then M = tally.buckets end
end

local function make_room()
  while tally.urls > tally.buckets * LOAD do split_bucket() end
end
