-- with: asking facts
-- ARGV: 5 the space, 6 the key. Returns the packed fact.
return present(call('HGET', P .. 'm:' .. ARGV[5], ARGV[6])) or false
