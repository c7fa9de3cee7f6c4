import type { Redis } from 'ioredis'

/**
 * Takes all that Redis holds so many milliseconds into the past: what has a time to live has less of it left, and each
 * time that is written somewhere is earlier.
 */
export async function shiftTime(client: Redis, ms: number): Promise<void> {
  await client.eval(
    `
    local ms = tonumber(ARGV[1])
    for _, key in ipairs(redis.call('KEYS', '*')) do
      local kind = string.sub(key, 1, 2)
      if kind == 'l:' or kind == 'g:' or kind == 'o:' or kind == 'n:' then
        local all = redis.call('ZRANGE', key, 0, -1)
        for _, member in ipairs(all) do redis.call('ZINCRBY', key, -ms, member) end
      elseif kind == 'w:' then
        for _, field in ipairs(redis.call('HKEYS', key)) do redis.call('HINCRBY', key, field, -ms) end
      elseif kind == 's:' and redis.call('HEXISTS', key, 'd') == 1 then
        redis.call('HINCRBY', key, 'd', -ms)
      end
      local left = redis.call('PTTL', key)
      if left > 0 then redis.call('PEXPIRE', key, left - ms) end
    end
    `,
    0,
    ms,
  )
}
