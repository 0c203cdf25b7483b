"""What Redis does in one step each: the Lua scripts of a shared crawl.

Keys: `about` (hash: identity, crawl, pages, time), `log` (list of events), `members` (sorted set: process to the time
at which it counts as dead), `active` (hash: process to requests under way). Times are Redis' own, in milliseconds.
"""

from __future__ import annotations

_TIME = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
"""

#: What a process held goes back into the queue of all: an event that every process carries out.
_RELEASE = """
local function release(who)
  redis.call('RPUSH', KEYS[2], '["R","' .. who .. '"]')
  redis.call('ZREM', KEYS[3], who)
  redis.call('HDEL', KEYS[4], who)
end
"""

#: identity, new crawl's name, folder, lease, the crawl that the folder belongs to or '' -> ok, process, crawl | why not
JOIN = (
    _TIME
    + _RELEASE
    + """
local there = redis.call('HGET', KEYS[1], 'identity')
local crawl = redis.call('HGET', KEYS[1], 'crawl')
if ARGV[5] ~= '' and crawl ~= ARGV[5] then return {'gone', there or ''} end
if there and there ~= ARGV[1] then return {'differs', there} end
if not there then
  redis.call('HSET', KEYS[1], 'identity', ARGV[1], 'crawl', ARGV[2], 'pages', 0, 'ms', 0)
  crawl = ARGV[2]
end
for _, who in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
  if string.sub(who, 1, #ARGV[3] + 1) == ARGV[3] .. '.' then release(who) end
end
local who = ARGV[3] .. '.' .. redis.call('HINCRBY', KEYS[1], 'joined', 1)
redis.call('ZADD', KEYS[3], now + ARGV[4], who)
return {'ok', who, crawl}
"""
)

#: process, lease -> 1 or 0 (taken for dead), milliseconds of the crawl, all processes
#: Where nobody was heard of for long, Redis was away or all had stopped: nobody is taken for dead for that.
BEAT = (
    _TIME
    + _RELEASE
    + """
if not redis.call('ZSCORE', KEYS[3], ARGV[1]) then return {0, 0, {}} end
local gap = now - (redis.call('HGET', KEYS[1], 'beat') or now)
redis.call('HSET', KEYS[1], 'beat', now)
if gap > ARGV[2] / 2 then
  for _, who in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do redis.call('ZADD', KEYS[3], now + ARGV[2], who) end
else
  redis.call('HINCRBY', KEYS[1], 'ms', math.max(gap, 0))
  redis.call('ZADD', KEYS[3], now + ARGV[2], ARGV[1])
  for _, who in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now)) do release(who) end
end
return {1, tonumber(redis.call('HGET', KEYS[1], 'ms')), redis.call('ZRANGE', KEYS[3], 0, -1)}
"""
)

#: process
LEAVE = (
    _RELEASE
    + """
if redis.call('ZSCORE', KEYS[3], ARGV[1]) then release(ARGV[1]) end
"""
)

#: process, events known, strict, event, 1 for a page, 1 if a permit ends, most events to tell
#: -> 1 appended | 0 not, since strict and there is news | -1 taken for dead | -2 the log is shorter; length; the news
APPEND = """
if not redis.call('ZSCORE', KEYS[3], ARGV[1]) then return {-1, 0, {}} end
local length, known = redis.call('LLEN', KEYS[2]), tonumber(ARGV[2])
if known > length then return {-2, length, {}} end
local news = {}
if known < length then news = redis.call('LRANGE', KEYS[2], known, math.min(known + ARGV[7], length) - 1) end
if ARGV[3] == '1' and known < length then return {0, length, news} end
redis.call('RPUSH', KEYS[2], ARGV[4])
if ARGV[5] == '1' then redis.call('HINCRBY', KEYS[1], 'pages', 1) end
if ARGV[6] == '1' then redis.call('HINCRBY', KEYS[4], ARGV[1], -1) end
return {1, length, news}
"""

#: events known, most to tell -> length, the news
READ = """
local length, known = redis.call('LLEN', KEYS[2]), tonumber(ARGV[1])
if known >= length then return {length, {}} end
return {length, redis.call('LRANGE', KEYS[2], known, known + ARGV[2] - 1)}
"""

#: process, most pages of the crawl -> 1 if one more request may be under way
PERMIT = """
local sum = tonumber(redis.call('HGET', KEYS[1], 'pages') or 0)
for _, count in ipairs(redis.call('HVALS', KEYS[4])) do sum = sum + count end
if sum >= tonumber(ARGV[2]) then return 0 end
redis.call('HINCRBY', KEYS[4], ARGV[1], 1)
return 1
"""

#: Keys here: members, the host's slot. Process, request, delay, requests at a time
#: -> milliseconds after which this request is to be sent, or -1 if others have to be answered first.
#: A slot is a hash: 'next' is when the host may be asked again, the other fields are requests under way, named after
#: their process: those of a dead one do not count.
ACQUIRE = (
    _TIME
    + """
local busy, left = 0, 0
local fields = redis.call('HGETALL', KEYS[2])
for place = 1, #fields, 2 do
  if fields[place] == 'next' then
    left = math.max(fields[place + 1] - now, 0)
  elseif redis.call('ZSCORE', KEYS[1], fields[place + 1]) then busy = busy + 1
  else redis.call('HDEL', KEYS[2], fields[place]) end
end
if busy >= tonumber(ARGV[4]) then return -1 end
redis.call('HSET', KEYS[2], 'next', now + left + ARGV[3], ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[2], 3600000 + left + ARGV[3])
return left
"""
)

#: Keys here: members, the host's slot. Request, milliseconds since it was sent, delay.
#: The delay counts from when the request was sent, which may be later than when it was allowed.
FREE = (
    _TIME
    + """
redis.call('HDEL', KEYS[2], ARGV[1])
local after = now - ARGV[2] + ARGV[3]
if after > tonumber(redis.call('HGET', KEYS[2], 'next') or 0) then
  redis.call('HSET', KEYS[2], 'next', after)
  redis.call('PEXPIRE', KEYS[2], 3600000 + ARGV[3])
end
"""
)
