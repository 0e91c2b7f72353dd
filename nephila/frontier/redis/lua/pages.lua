-- Ordered trees of records, packed: a directory (a sorted set of separators, compared byte by byte) and pages (strings
-- of some 4 KB: about forty URLs). The page of a separator holds the records from it up to the next separator.
-- A record: its key (a rank of 6 bytes and the order of arrival, 5 bytes), 3 bytes of length, the body.
-- A page: where its first live record begins (4 bytes: taking from the front rewrites these alone), its length (4),
-- a key that is not below its last one (11), the records.
-- Lua in Redis hashes every byte of every string that it makes: of a page, only the part that is needed is read.
-- Lua compares strings by the locale: keys are compared as numbers here.
local PAGE = 4085 -- with the string's own header, the 4096 bytes that Redis' allocator gives
local HEAD = 19
local APPENDED_FROM = 1024 -- a string that is appended to is given room for twice its length: no matter for a long one
local LOWEST = string.rep('\0', 11)

local function record(rank, order, body)
  return write('>I6I5I3', rank, order, #body) .. body
end

local function directory_of(tree) return P .. 'd' .. tree end
local function page_of(tree, separator) return P .. 'p' .. tree .. separator end

local function before(rank, order, other_rank, other_order)
  return rank < other_rank or (rank == other_rank and order < other_order)
end

local function live_records(page)
  local found, at, size = {}, read('>I4', page), #page
  while at <= size do
    local rank, order, length = read('>I6I5I3', page, at)
    found[#found + 1] = {rank = rank, order = order, text = sub(page, at, at + 13 + length)}
    at = at + 14 + length
  end
  return found
end

-- Writes `items` as the page of `separator`, and as further ones where they do not fit; `size`: how full each may be.
local function write_pages(tree, separator, items, size)
  local first = 1
  while first <= #items do
    local last, length = first, HEAD + #items[first].text
    while last < #items and length + #items[last + 1].text <= size do
      last = last + 1
      length = length + #items[last].text
    end
    local texts = {}
    for place = first, last do texts[#texts + 1] = items[place].text end
    if first > 1 then
      separator = write('>I6I5', items[first].rank, items[first].order)
      call('ZADD', directory_of(tree), 0, separator)
    end
    local head = write('>I4I4I6I5', HEAD + 1, length, items[last].rank, items[last].order)
    call('SET', page_of(tree, separator), head .. table.concat(texts))
    first = last + 1
  end
end

local function merged(old, new, first, last)
  local all, place = {}, 1
  for at = first, last do
    while place <= #old and before(old[place].rank, old[place].order, new[at].rank, new[at].order) do
      all[#all + 1] = old[place]
      place = place + 1
    end
    all[#all + 1] = new[at]
  end
  for rest = place, #old do all[#all + 1] = old[rest] end
  return all
end

local function total_length(items)
  local length = 0
  for _, item in ipairs(items) do length = length + #item.text end
  return length
end

-- At the end of a page, where there is room: without reading it.
local function append(key, length, new, first, last)
  local texts, added = {}, 0
  for place = first, last do
    texts[#texts + 1] = new[place].text
    added = added + #new[place].text
  end
  if length < APPENDED_FROM or length + added > PAGE then return false end
  call('APPEND', key, table.concat(texts))
  call('SETRANGE', key, 4, write('>I4I6I5', length + added, new[last].rank, new[last].order))
  return true
end

-- Puts new[first] to new[last], in order, into the page of `separator`.
local function insert_into(tree, separator, new, first, last)
  local key = page_of(tree, separator)
  local head = call('GETRANGE', key, 0, HEAD - 1)
  local items, size = {}, PAGE
  if head ~= '' then
    local at, length, rank, order = read('>I4I4I6I5', head)
    if before(rank, order, new[first].rank, new[first].order) then -- the usual case: all of them at the end
      if append(key, length, new, first, last) then return end
      items[1] = {rank = rank, order = order, text = call('GETRANGE', key, at - 1, -1)}
      for place = first, last do items[#items + 1] = new[place] end
    else
      items = merged(live_records(call('GET', key)), new, first, last)
      local total = total_length(items)
      size = HEAD + total / math.ceil(total / (PAGE - HEAD)) + 200 -- halves, so that the next ones find room
    end
  else
    for place = first, last do items[#items + 1] = new[place] end
  end
  write_pages(tree, separator, items, math.min(size, PAGE))
end

-- `new`: records {rank, order, text} in order.
local function insert(tree, new)
  local directory, first = directory_of(tree), 1
  while first <= #new do
    local key = write('>I6I5', new[first].rank, new[first].order)
    local separator = call('ZREVRANGEBYLEX', directory, '[' .. key, '-', 'LIMIT', 0, 1)[1]
    if not separator then
      separator = LOWEST
      call('ZADD', directory, 0, separator)
    end
    local following = call('ZRANGEBYLEX', directory, '(' .. separator, '+', 'LIMIT', 0, 1)[1]
    local last = #new
    if following then
      local rank, order = read('>I6I5', following)
      last = first
      while last < #new and before(new[last + 1].rank, new[last + 1].order, rank, order) do last = last + 1 end
    end
    insert_into(tree, separator, new, first, last)
    first = last + 1
  end
end

local function drop_page(tree, separator)
  call('DEL', page_of(tree, separator))
  call('ZREM', directory_of(tree), separator)
end

-- Adds up to `count` records of the page's front to `taken`; returns whether one above the rank `bound` was met.
local function take_from_page(tree, separator, taken, count, bound)
  local key = page_of(tree, separator)
  local begin, length = read('>I4I4', call('GETRANGE', key, 0, 7))
  local at, over, wanted = begin, false, 200 * (count - #taken)
  while #taken < count and at <= length and not over do
    local text, start = call('GETRANGE', key, at - 1, at + wanted), 1
    while #taken < count and start + 13 <= #text and not over do
      local rank, _, size = read('>I6I5I3', text, start)
      if start + 13 + size > #text then break end
      over = bound and rank > bound
      if not over then
        taken[#taken + 1] = sub(text, start, start + 13 + size)
        start = start + 14 + size
      end
    end
    if start == 1 then wanted = length else at = at + start - 1 end -- one that is longer than most
  end
  if at > length then
    drop_page(tree, separator)
  elseif at > begin then
    call('SETRANGE', key, 0, write('>I4', at))
  end
  return over
end

-- Takes up to `count` records from the front, those above the rank `bound` left alone; returns their texts.
local function take(tree, count, bound)
  local taken, over = {}, false
  while #taken < count and not over do
    local separator = call('ZRANGE', directory_of(tree), 0, 0)[1]
    if not separator then break end
    over = take_from_page(tree, separator, taken, count, bound)
  end
  return taken
end

-- Takes one record out from wherever it is; returns its text.
local function take_out(tree, rank, order)
  local directory, key = directory_of(tree), write('>I6I5', rank, order)
  local separator = call('ZREVRANGEBYLEX', directory, '[' .. key, '-', 'LIMIT', 0, 1)[1]
  local page = separator and call('GET', page_of(tree, separator))
  if not page then return nil end
  local kept, text = {}, nil
  for _, item in ipairs(live_records(page)) do
    if item.rank == rank and item.order == order then text = item.text else kept[#kept + 1] = item end
  end
  if #kept == 0 then
    drop_page(tree, separator)
  elseif text then
    write_pages(tree, separator, kept, PAGE + #text)
  end
  return text
end
