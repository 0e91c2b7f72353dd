-- with: asking
-- ARGV: 5 a task, 6 fingerprints of eight bytes. Each belongs to the task that named it first; returns whose each is.
local key, owners = P .. 'owner', {}
for at = 1, #ARGV[6], 8 do
  local what = sub(ARGV[6], at, at + 7)
  if call('HSETNX', key, what, ARGV[5]) == 1 then
    owners[#owners + 1] = ARGV[5]
  else
    owners[#owners + 1] = call('HGET', key, what)
  end
end
return owners
