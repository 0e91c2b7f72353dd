-- What every script begins with: the job's keys, the time, and the answer to a question that was asked before.
-- KEYS[1] is a key of the job, its own name five letters long; all others begin like it and lie in the same slot of a
-- cluster. ARGV: 1 the time (empty: the server's), 2 the client, 3 the number of its call, 4 "1" if it asks again.
local call, read, write, sub = redis.call, struct.unpack, struct.pack, string.sub
local P = sub(KEYS[1], 1, -6)
local now = tonumber(ARGV[1])
if not now then
  local t = call('TIME')
  now = t[1] + t[2] / 1000000
end

-- Numbers as text: Lua's own way loses digits, and the exact way of dates is dear for whole numbers.
local function exact(number) return string.format('%.17g', number) end
local function whole(number) return string.format('%.0f', number) end

-- Lua hands over some thousand values at once, no more.
local AT_ONCE = 4000

local function in_portions(command, key, values)
  for first = 1, #values, AT_ONCE do
    call(command, key, unpack(values, first, math.min(first + AT_ONCE - 1, #values)))
  end
end

-- A client whose connection broke cannot know whether its call was done. It asks again under the same number, and gets
-- the first answer: what was claimed is not claimed twice, what was accepted is not called stale.
local KEPT_SECONDS = 7200

local function told_before()
  if ARGV[4] ~= '1' then return nil end
  local kept = call('GET', P .. 'reply:' .. ARGV[2])
  if kept and read('>I8', kept) == tonumber(ARGV[3]) then return cmsgpack.unpack(sub(kept, 9)) end
end

local function keep_answer(answer)
  call('SET', P .. 'reply:' .. ARGV[2], write('>I8', tonumber(ARGV[3])) .. cmsgpack.pack(answer), 'EX', KEPT_SECONDS)
  return answer
end
