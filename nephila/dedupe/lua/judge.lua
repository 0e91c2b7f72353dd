-- with: asking
-- Judges texts one after the other, and remembers those that are new: see nephila/dedupe/base.py for the layout.
-- KEYS[1]: the name below which everything lies. ARGV[1]: capacity; from ARGV[5] on, for each text its sketch (10 bytes), the distance
-- allowed, its positions (bucket as 32 bits, tag as 8 bits, little end first) and its URL.
-- Returns for each text the URL of the first one like it, or an empty string.

local BUCKET, SLOT, STORED, URLS = 16, 4, 2, 100
local name, capacity = KEYS[1], tonumber(ARGV[1])
local slots, sketches, counter = name .. ':slots', name .. ':sketches', name .. ':count'

local ones = {}
for byte = 0, 255 do
    local count, rest = 0, byte
    while rest > 0 do
        count = count + rest % 2
        rest = math.floor(rest / 2)
    end
    ones[byte] = count
end

local function distance(one, other)
    local sum = 0
    for index = 1, #one do
        sum = sum + ones[bit.bxor(one:byte(index), other:byte(index))]
    end
    return sum
end

local function bucket_at(bucket)
    local row = redis.call('GETRANGE', slots, bucket * BUCKET * SLOT, (bucket + 1) * BUCKET * SLOT - 1)
    return row .. string.rep('\0', BUCKET * SLOT - #row)
end

local function slot_at(row, index)
    local one, two, three, tag = row:byte(index * SLOT + 1, index * SLOT + 4)
    return one + two * 256 + three * 65536 - 1, tag
end

local function url_at(place)
    return redis.call('HGET', name .. ':urls:' .. math.floor(place / URLS), place % URLS)
end

local function first_like(sketch, allowed, positions)
    for at = 1, #positions, 5 do
        local bucket, tag = struct.unpack('<IB', positions, at)
        local row = bucket_at(bucket)
        for index = 0, BUCKET - 1 do
            local place, other = slot_at(row, index)
            if other == tag and place >= 0 then
                local known = redis.call('GETRANGE', sketches, place * #sketch, (place + 1) * #sketch - 1)
                if #known == #sketch and distance(sketch, known) <= allowed then
                    local url = url_at(place)
                    if url then
                        return url
                    end
                end
            end
        end
    end
end

local function add(sketch, positions, url)
    local place = (redis.call('INCR', counter) - 1) % capacity
    redis.call('SETRANGE', sketches, place * #sketch, sketch)
    redis.call('HSET', name .. ':urls:' .. math.floor(place / URLS), place % URLS, url)
    for at = 1, math.min(#positions, STORED * 5), 5 do
        local bucket, tag = struct.unpack('<IB', positions, at)
        local row, oldest, chosen = bucket_at(bucket), -1, 0
        for index = 0, BUCKET - 1 do
            local other = slot_at(row, index)
            local age = other < 0 and capacity or (place - other) % capacity
            if age > oldest then
                oldest, chosen = age, index
            end
        end
        redis.call('SETRANGE', slots, (bucket * BUCKET + chosen) * SLOT, struct.pack('<I', tag * 16777216 + place + 1))
    end
end

local answers = {}
for at = 5, #ARGV, 4 do
    local sketch, allowed, positions, url = ARGV[at], tonumber(ARGV[at + 1]), ARGV[at + 2], ARGV[at + 3]
    local first = first_like(sketch, allowed, positions)
    if not first then
        add(sketch, positions, url)
        first = ''
    elseif first == url then
        first = ''
    end
    answers[#answers + 1] = first
end
return answers
