import { defineScript } from './define-script.ts'

/**
 * Keeps a turn: the session, the answer and the changes of results, and lets the next token in. `lost` when the lease is
 * another's; kept once for each token, however often it is asked. Returns the revision, and how many turns the outbox holds.
 *
 * KEYS: session, line, index, tallies, answer, names of the answers of the session, outbox, conversations with an outbox.
 * ARGV: token, revision that was read, text (empty: the session is kept elsewhere), time to live, member of the index,
 * `keep`, `take` or `drop` of payloads, number of the payload that is taken, whether the conversation is new and needs no
 * lease, `keep`, `drop` or nothing for the answer, answer, time that it lives, its name, changes of results (empty: none),
 * channel, most bytes of the index (0: any), most entries of it, ids of the results.
 */
export const keepScript = defineScript(
  ['waking', 'indexing'],
  `
local session, index, tallies, answer = KEYS[1], KEYS[3], KEYS[4], KEYS[5]
local token, text, ttl, member = ARGV[1], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local kept = redis.call('HMGET', session, 'o', 'v', 'c', 'pn', 'x', 'q')
local revision = tonumber(kept[2] or '0')
if kept[3] == token then return {'kept', revision, redis.call('HLEN', KEYS[7])} end
if kept[5] then return {'lost'} end
if ARGV[8] == '0' and (kept[1] ~= token or revision ~= tonumber(ARGV[2])) then return {'lost'} end
revision = revision + 1
local tag = string.match(index, '{.-}')

local function makeRoom(most, mostEntries)
  local bytes = tonumber(redis.call('HGET', tallies, 'b') or '0')
  while bytes > most or redis.call('ZCARD', index) > mostEntries do
    local oldest = redis.call('ZRANGE', index, 0, 1)
    local victim = oldest[1] == member and oldest[2] or oldest[1]
    if not victim then return end
    local key = 's:' .. tag .. ':' .. victim
    local size = redis.call('HSTRLEN', key, 't')
    redis.call('DEL', key)
    redis.call('ZREM', index, victim)
    redis.call('ZADD', 'g:' .. tag, now, victim)
    redis.call('HINCRBY', tallies, 'e', 1)
    bytes = redis.call('HINCRBY', tallies, 'b', 0 - size)
  end
end

if text == '' then
  redis.call('HSET', session, 'c', token)
  redis.call('PEXPIRE', session, 60000)
else
  local before = redis.call('HSTRLEN', session, 't')
  redis.call('HSET', session, 'v', revision, 't', text, 'c', token)
  touch(session, index, member, ttl)
  redis.call('HINCRBY', tallies, 'b', #text - before)
  local isLater = tonumber(kept[4] or '0') > tonumber(ARGV[7])
  if ARGV[6] == 'drop' or (ARGV[6] == 'take' and not isLater) then redis.call('HDEL', session, 'p') end
  if ARGV[15] ~= '0' then makeRoom(tonumber(ARGV[15]), tonumber(ARGV[16])) end
end
redis.call('HDEL', session, 'o', 'd')

if ARGV[9] == 'keep' then
  local lives = tonumber(ARGV[11])
  redis.call('HDEL', answer, 'o')
  redis.call('HSET', answer, 'a', ARGV[10], 'b', math.floor((now + lives) / 3600000))
  redis.call('PEXPIRE', answer, lives)
  redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', now)
  redis.call('ZADD', KEYS[6], now + lives, ARGV[12])
  redis.call('PEXPIRE', KEYS[6], lives)
  local bucket = math.floor((now + lives) / 3600000)
  redis.call('HINCRBY', tallies, 'A' .. bucket, 1)
  redis.call('HINCRBY', tallies, 'B' .. bucket, #ARGV[10])
elseif ARGV[9] == 'drop' then
  redis.call('DEL', answer)
end

if ARGV[13] ~= '' then
  redis.call('HSET', KEYS[7], revision, ARGV[13])
  redis.call('ZADD', KEYS[8], 'NX', now, member)
  for place = 17, #ARGV do redis.call('SADD', 'p:' .. tag .. ':' .. ARGV[place], member) end
end
if kept[6] then wake(KEYS[2]) end
redis.call('PUBLISH', ARGV[14], '')
return {'kept', revision, ARGV[13] == '' and 0 or redis.call('HLEN', KEYS[7])}
`,
)
