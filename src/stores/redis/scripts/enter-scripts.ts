import { defineScript } from './define-script.ts'

/**
 * Lets a token into a conversation: `go` with the conversation, `waiting` in line, or why not. Asked again with the same
 * token, it keeps the place in line.
 *
 * KEYS: session, line, deadlines of those in line, index, answer of the idempotency key (any key of the slot when there
 * is none), outbox.
 * ARGV: token, lease, most that wait, time to live, member of the index, `turn` (needs a conversation), `start` (needs
 * that there is none) or `any`, fingerprint behind a `+` (empty without a key), time that answers live.
 */
const enterBody = `
local session, line, deadlines, answer = KEYS[1], KEYS[2], KEYS[3], KEYS[5]
local token, lease, ttl, mode = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[4]), ARGV[6]
local isKeyed = ARGV[7] ~= ''
local kept = redis.call('HMGET', session, 'o', 'd', 'q', 'v', 't', 'pn', 'p', 'x')
local isLined = kept[3]

local function isAlive(other)
  if kept[1] == other then return tonumber(kept[2]) >= now end
  local deadline = isLined and redis.call('HGET', deadlines, other)
  return deadline and tonumber(deadline) >= now
end

local function leaveLine()
  if not isLined or redis.call('HDEL', deadlines, token) == 0 then return end
  redis.call('LREM', line, 1, token)
  if redis.call('EXISTS', line) == 0 then redis.call('HDEL', session, 'q') else wake(line) end
end

if isKeyed then
  local claim = redis.call('HMGET', answer, 'p', 'o', 'a')
  if claim[1] then
    if claim[1] ~= ARGV[7] then leaveLine() return {'other request'} end
    if claim[3] then leaveLine() return {'answered', claim[3]} end
    if claim[2] ~= token and isAlive(claim[2]) then return {'running'} end
  end
end

local isHeld = kept[1] and kept[1] ~= token and tonumber(kept[2]) >= now
if not isHeld and isLined and kept[1] ~= token then
  local head = redis.call('LINDEX', line, 0)
  while head and head ~= token and not isAlive(head) do
    redis.call('LPOP', line)
    redis.call('HDEL', deadlines, head)
    head = redis.call('LINDEX', line, 0)
  end
  if head and head ~= token then
    isHeld = true
    wake(line)
  elseif not head then
    redis.call('HDEL', session, 'q')
    isLined = false
  end
end

local function claimAnswer()
  if not isKeyed then return end
  redis.call('HSET', answer, 'p', ARGV[7], 'o', token)
  redis.call('PEXPIRE', answer, ARGV[8])
end

if isHeld then
  if not redis.call('HGET', deadlines, token) then
    local most = tonumber(ARGV[3])
    if redis.call('LLEN', line) >= most then
      for _, other in ipairs(redis.call('LRANGE', line, 0, -1)) do
        if not isAlive(other) then
          redis.call('LREM', line, 1, other)
          redis.call('HDEL', deadlines, other)
        end
      end
    end
    if redis.call('LLEN', line) >= most then return {'too many waiting'} end
    redis.call('RPUSH', line, token)
    redis.call('HSET', session, 'q', '1')
  end
  redis.call('HSET', deadlines, token, now + lease)
  redis.call('PEXPIRE', line, lease * 4)
  redis.call('PEXPIRE', deadlines, lease * 4)
  if redis.call('PTTL', session) < lease * 4 then redis.call('PEXPIRE', session, lease * 4) end
  claimAnswer()
  return {'waiting'}
end

local isMissing = (mode == 'turn' and not kept[4]) or (mode == 'start' and kept[4]) or kept[8]
if isMissing then
  leaveLine()
  if isKeyed and redis.call('HGET', answer, 'o') == token then redis.call('DEL', answer) end
  return {'missing'}
end

redis.call('HSET', session, 'o', token, 'd', now + lease)
if isLined then
  redis.call('LREM', line, 1, token)
  redis.call('HDEL', deadlines, token)
  if redis.call('EXISTS', line) == 0 then redis.call('HDEL', session, 'q') end
end
local left = redis.call('PTTL', session)
if kept[4] then
  if left < ttl - ttl / 24 then touch(session, KEYS[4], ARGV[5], math.max(ttl, lease * 2)) end
elseif left < lease * 4 then
  redis.call('PEXPIRE', session, lease * 4)
end
claimAnswer()
return {'go', kept[4] or '0', kept[5], kept[6], kept[7], redis.call('EXISTS', KEYS[6])}
`

export const enterScript = defineScript(['waking', 'indexing'], enterBody)

/** For who comes to make room. */
export const enterWhenFullScript = defineScript(['waking', 'indexing'], enterBody, { worksWhenFull: true })

/** Keeps the lease of a token for longer. KEYS: session. ARGV: token, lease. */
export const renewScript = defineScript(
  [],
  `
if redis.call('HGET', KEYS[1], 'o') ~= ARGV[1] then return 0 end
local lease = tonumber(ARGV[2])
redis.call('HSET', KEYS[1], 'd', now + lease)
if redis.call('PTTL', KEYS[1]) < lease * 2 then redis.call('PEXPIRE', KEYS[1], lease * 2) end
return 1
`,
  { worksWhenFull: true },
)

/**
 * Gives a lease or a place in line back, and the idempotency key where ARGV[2] says so.
 * KEYS: session, line, deadlines, answer. ARGV: token, whether the key is given back.
 */
export const releaseScript = defineScript(
  ['waking'],
  `
local kept = redis.call('HMGET', KEYS[1], 'o', 'q')
if ARGV[2] == '1' and redis.call('HGET', KEYS[4], 'o') == ARGV[1] then redis.call('DEL', KEYS[4]) end
if kept[1] == ARGV[1] then
  redis.call('HDEL', KEYS[1], 'o', 'd')
elseif redis.call('HDEL', KEYS[3], ARGV[1]) == 1 then
  redis.call('LREM', KEYS[2], 1, ARGV[1])
else
  return 0
end
if not kept[2] then return 1 end
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('HDEL', KEYS[1], 'q') else wake(KEYS[2]) end
return 1
`,
)
