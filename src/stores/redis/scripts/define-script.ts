import { createHash } from 'node:crypto'

/** A Lua script, which Redis runs as one step that nothing else comes between. */
export interface Script {
  readonly text: string
  /** What Redis knows it by once it has seen it. */
  readonly sha: string
}

/** The clock of the server, which is one for all processes; and the part of every key in braces, which is its slot. */
const prelude = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/**
 * Notifies the process of a token that it may try again. A token is the name of its process, a dot and a number.
 */
const waking = `
local function wake(queue)
  local head = redis.call('LINDEX', queue, 0)
  if head then redis.call('PUBLISH', 'w:' .. string.match(head, '^[^.]+'), head) end
end
`

/** Where the session of an index is, and what an entry in it takes. */
const indexing = `
local function touch(session, index, member, ttl)
  redis.call('PEXPIRE', session, ttl)
  redis.call('ZADD', index, now + ttl, member)
end
`

const parts = { waking, indexing }

/** Makes a script that has the functions of the named parts. */
export function defineScript(
  names: readonly (keyof typeof parts)[],
  body: string,
  { worksWhenFull = false } = {},
): Script {
  const text =
    (worksWhenFull ? '#!lua flags=allow-oom' : '') +
    prelude +
    names.map((name) => parts[name]).join('') +
    body
  return { text, sha: createHash('sha1').update(text).digest('hex') }
}
