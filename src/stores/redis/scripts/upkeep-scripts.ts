import { defineScript } from './define-script.ts'

/**
 * Moves conversations whose time has passed to those that are gone, some at a time, and forgets those that were gone
 * for long. Returns how much there is: conversations, their bytes, those that made room, answers, their bytes.
 *
 * What an expired conversation took up is not known any more, since Redis has erased it: it counts as the average.
 * KEYS: index, those that are gone, tallies. ARGV: time to live.
 */
export const sweepScript = defineScript(
  [],
  `
local index, gone, tallies = KEYS[1], KEYS[2], KEYS[3]
local ended = redis.call('ZRANGEBYSCORE', index, '-inf', now, 'WITHSCORES', 'LIMIT', 0, 500)
local bytes = tonumber(redis.call('HGET', tallies, 'b') or '0')
local entries = redis.call('ZCARD', index)
for place = 1, #ended, 2 do
  redis.call('ZREM', index, ended[place])
  redis.call('ZADD', gone, ended[place + 1], ended[place])
end
redis.call('ZREMRANGEBYSCORE', gone, '-inf', now - tonumber(ARGV[1]))
if #ended > 0 then
  local left = entries - #ended / 2
  bytes = left == 0 and 0 or math.floor(bytes * left / entries)
  redis.call('HSET', tallies, 'b', bytes)
end
local current, evicted, answers, answerBytes = math.floor(now / 3600000), 0, 0, 0
local all = redis.call('HGETALL', tallies)
for place = 1, #all, 2 do
  local name, count = all[place], tonumber(all[place + 1])
  local kind, bucket = string.sub(name, 1, 1), tonumber(string.sub(name, 2))
  if name == 'e' then evicted = count
  elseif bucket and bucket < current then redis.call('HDEL', tallies, name)
  elseif kind == 'A' then answers = answers + count
  elseif kind == 'B' then answerBytes = answerBytes + count end
end
return {redis.call('ZCARD', index), bytes, evicted, answers, answerBytes}
`,
)

/**
 * Conversations whose results have waited for longer than a process needs to write them. Only one process is given
 * them at a time. KEYS: conversations with an outbox, mark of the process that looks. ARGV: milliseconds, most of them.
 */
export const overdueScript = defineScript(
  [],
  `
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[1]), 'LIMIT', 0, ARGV[2])
if #due == 0 or not redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[1]) then return {} end
return due
`,
)

/**
 * Takes changes out of an outbox that are written. KEYS: outbox, conversations with an outbox. ARGV: member of the index,
 * how many revisions, the revisions, ids of their results.
 */
export const clearScript = defineScript(
  [],
  `
local count = tonumber(ARGV[2])
for place = 3, count + 2 do redis.call('HDEL', KEYS[1], ARGV[place]) end
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('ZREM', KEYS[2], ARGV[1])
local tag = string.match(KEYS[2], '{.-}')
for place = count + 3, #ARGV do redis.call('SREM', 'p:' .. tag .. ':' .. ARGV[place], ARGV[1]) end
return 1
`,
  { worksWhenFull: true },
)

/** What is in an outbox. KEYS: outbox. */
export const outboxScript = defineScript([], `return redis.call('HVALS', KEYS[1])`)

/** Conversations that have something in an outbox. KEYS: where they are listed. ARGV: `all` of a slot, or a `set` of few. */
export const pendingScript = defineScript(
  [],
  `
if ARGV[1] == 'set' then return redis.call('SMEMBERS', KEYS[1]) end
return redis.call('ZRANGE', KEYS[1], 0, -1)
`,
)

/** Writes as a turn does, which a server that is full, a replica or without enough of them refuses. KEYS: any of a slot. */
export const probeScript = defineScript([], `return redis.call('SET', KEYS[1], '', 'PX', 1000)`)
