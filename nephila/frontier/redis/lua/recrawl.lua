-- with: asking tally buckets pages hosts queues
-- ARGV: 5 seconds from now up to which URLs are due, 6 how many, 7 "1": the first of them begin a new run.
local told = told_before()
if told then return told[1] end
local by_host, taken = {}, take('v', tonumber(ARGV[6]), now + tonumber(ARGV[5]))
for _, text in ipairs(taken) do
  local name, carried_text = uncarried(text, 15)
  push(by_host, name, carried_text)
end
if #taken > 0 then
  put_back(by_host)
  if ARGV[7] == '1' then tally.run_done = 0 end
  save_hosts()
  save_tally()
  keep_answer({#taken})
end
return #taken
