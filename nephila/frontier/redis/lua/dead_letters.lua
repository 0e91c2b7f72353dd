-- with: asking tally
-- ARGV: 5 how many, 6 after how many. The oldest first; only reads.
local found = {}
for _, member in ipairs(call('ZRANGE', P .. 'dead_at', tonumber(ARGV[6]), tonumber(ARGV[6]) + tonumber(ARGV[5]) - 1)) do
  found[#found + 1] = call('HGET', P .. 'dead', sub(member, 6))
end
return found
