-- with: asking facts
-- ARGV: 5 the space, 6 the key, 7 the value, 8 seconds till it expires (empty: never).
sweep()
store(ARGV[5], ARGV[6], ARGV[8] == '' and 0 or now + tonumber(ARGV[8]), ARGV[7])
return 1
