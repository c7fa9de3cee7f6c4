import { defineScript } from './define-script.ts'

/** The conversation as it is, its time to live renewed. KEYS: session, index. ARGV: time to live, member of the index. */
export const lookScript = defineScript(
  ['indexing'],
  `
local kept = redis.call('HMGET', KEYS[1], 'v', 't', 'pn', 'p')
if not kept[1] then return false end
local ttl = tonumber(ARGV[1])
if redis.call('PTTL', KEYS[1]) < ttl - ttl / 24 then touch(KEYS[1], KEYS[2], ARGV[2], ttl) end
return kept
`,
  { worksWhenFull: true },
)

/** Keeps a payload for one revision. KEYS: session. ARGV: revision, payload, channel. */
export const webhookScript = defineScript(
  [],
  `
if redis.call('HGET', KEYS[1], 'v') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'p', ARGV[2])
redis.call('HINCRBY', KEYS[1], 'pn', 1)
redis.call('PUBLISH', ARGV[3], '')
return 1
`,
)

/**
 * Erases what the holder of the lease entered, or without a token where nobody is in it or waits, and marks it as erased.
 * It works also where Redis is full.
 * KEYS: session, line, index, tallies, names of the answers, index of those that are gone.
 * ARGV: token, member of the index, time that the mark lives, channel.
 */
export const eraseScript = defineScript(
  ['waking'],
  `
local kept = redis.call('HMGET', KEYS[1], 'o', 'q', 'x', 'd')
if kept[3] then return 1 end
local isIdle = not kept[2] and not (kept[1] and tonumber(kept[4]) >= now)
if kept[1] ~= ARGV[1] and not (ARGV[1] == '' and isIdle) then return 0 end
local tag = string.match(KEYS[3], '{.-}')
for _, name in ipairs(redis.call('ZRANGE', KEYS[5], 0, -1)) do
  local answer = 'i:' .. tag .. ':' .. ARGV[2] .. ':' .. name
  local bucket = redis.call('HGET', answer, 'b')
  if bucket then
    redis.call('HINCRBY', KEYS[4], 'A' .. bucket, -1)
    redis.call('HINCRBY', KEYS[4], 'B' .. bucket, 0 - redis.call('HSTRLEN', answer, 'a'))
  end
  redis.call('DEL', answer)
end
redis.call('HINCRBY', KEYS[4], 'b', 0 - redis.call('HSTRLEN', KEYS[1], 't'))
redis.call('DEL', KEYS[1], KEYS[5])
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('ZREM', KEYS[6], ARGV[2])
redis.call('HSET', KEYS[1], 'x', '1')
if kept[2] then redis.call('HSET', KEYS[1], 'q', '1') end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
wake(KEYS[2])
redis.call('PUBLISH', ARGV[4], '')
return 1
`,
  { worksWhenFull: true },
)

/**
 * Whether a conversation has expired or had to make room, not longer than one time to live ago.
 * KEYS: session, index, index of those that are gone. ARGV: time to live, member of the index.
 */
export const whyMissingScript = defineScript(
  [],
  `
if redis.call('HEXISTS', KEYS[1], 'x') == 1 then return 'erased' end
local ended = redis.call('ZSCORE', KEYS[2], ARGV[2]) or redis.call('ZSCORE', KEYS[3], ARGV[2])
if not ended then return 'unknown' end
ended = tonumber(ended)
return ended <= now and ended + tonumber(ARGV[1]) >= now and 'expired' or 'unknown'
`,
)

/**
 * Fixes the session id of a start with a key, and takes the place of one that is known to lead nowhere.
 * KEYS: claim. ARGV: fingerprint, new id, time that the claim lives, id that leads nowhere (or empty).
 */
export const claimStartScript = defineScript(
  [],
  `
local kept = redis.call('HMGET', KEYS[1], 'p', 'id')
if kept[2] and kept[2] ~= ARGV[4] then return {kept[1] == ARGV[1] and 'claimed' or 'other request', kept[2]} end
redis.call('HSET', KEYS[1], 'p', ARGV[1], 'id', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {'claimed', ARGV[2]}
`,
)

/** Gives the key of a start back. KEYS: claim. ARGV: the id that it fixed. */
export const unclaimStartScript = defineScript(
  [],
  `
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`,
)
