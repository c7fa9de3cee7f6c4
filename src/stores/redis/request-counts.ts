import type { RedisConnection } from './connection/redis-connection.ts'

/** What counts requests runs commands of its own, which it defines by name. */
export interface RequestCounts {
  [command: string]: unknown
  defineCommand(name: string, definition: { readonly lua: string; readonly numberOfKeys?: number }): void
}

type Command = (...args: unknown[]) => unknown
type Done = (error: Error | null, reply: unknown) => void

/** How long a request waits to be counted. Nothing depends on it as a turn depends on its conversation. */
const countMs = 250

/** Counts in Redis, for a limiter that lets requests pass uncounted where counts are late, or Redis can't be used. */
export function createRequestCounts({
  client,
  health,
}: Pick<RedisConnection, 'client' | 'health'>): RequestCounts {
  const commands = client as unknown as Readonly<Record<string, Command>>

  function run(name: string, args: unknown[], done: Done): void {
    const known = health.problem()
    if (known !== undefined) {
      done(new Error(known), null)
      return
    }
    let isOver = false
    const finish: Done = (error, reply) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      done(error, reply)
    }
    const timer = setTimeout(() => finish(new Error('It was not counted in time'), null), countMs)
    commands[name]?.(...args, finish)
  }

  const counts: RequestCounts = {
    defineCommand(name, definition) {
      client.defineCommand(name, definition)
      counts[name] = (...args: unknown[]) => run(name, args.slice(0, -1), args.at(-1) as Done)
    },
  }
  return counts
}
