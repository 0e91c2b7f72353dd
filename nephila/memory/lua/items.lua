-- with: asking facts
-- ARGV: 5 the space, 6 the prefix. Returns keys and packed facts by turns, in the order of the keys.
local from, to = '-', '+'
if ARGV[6] ~= '' then from, to = '[' .. ARGV[6], '(' .. ARGV[6] .. '\255' end
local names, found = call('ZRANGEBYLEX', P .. 'n:' .. ARGV[5], from, to), {}
for first = 1, #names, AT_ONCE do
  local last = math.min(first + AT_ONCE - 1, #names)
  for place, value in ipairs(call('HMGET', P .. 'm:' .. ARGV[5], unpack(names, first, last))) do
    if present(value) then
      found[#found + 1] = names[first + place - 1]
      found[#found + 1] = value
    end
  end
end
return found
