-- with: asking facts
-- ARGV: 5 the space, 6 the key, 7 the version that the caller has read (0: absent), 8 "1" to write or "0" to delete,
-- 9 the value. Returns 1; or 0 and the packed fact, if it is another one now.
local told = told_before()
if told then return {1} end
local value = present(call('HGET', P .. 'm:' .. ARGV[5], ARGV[6]))
local expires, version = 0, 0
if value then expires, version = read('>dI8', value) end
if version ~= tonumber(ARGV[7]) then return {0, value or false} end
sweep()
if ARGV[8] == '1' then
  store(ARGV[5], ARGV[6], expires, ARGV[9])
else
  remove(ARGV[5], ARGV[6])
end
keep_answer({1})
return {1}
