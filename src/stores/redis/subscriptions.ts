import type { RedisConnection } from './connection/redis-connection.ts'

/** What this process listens to, each channel once however many want to hear it. */
export interface RedisSubscriptions {
  /**
   * Calls with what is said from the moment it resolves, and with nothing when something may have been missed. Returns
   * what ends it.
   */
  listen(channel: string, heard: (text: string) => void): Promise<() => void>
}

interface Audience {
  readonly listeners: Set<(text: string) => void>
  readonly ready: Promise<void>
}

export function createRedisSubscriptions(
  connection: Pick<RedisConnection, 'listen' | 'ignore' | 'attach'>,
): RedisSubscriptions {
  const audiences = new Map<string, Audience>()
  const say = (audience: Audience | undefined, text: string) => {
    for (const heard of [...(audience?.listeners ?? [])]) heard(text)
  }

  connection.attach({
    message: (channel, text) => say(audiences.get(channel), text),
    missed() {
      for (const audience of [...audiences.values()]) say(audience, '')
    },
  })

  return {
    async listen(channel, heard) {
      const audience = audiences.get(channel) ?? {
        listeners: new Set(),
        ready: connection.listen(channel),
      }
      audiences.set(channel, audience)
      // The same function may listen twice, and each of them ends by itself.
      const own = (text: string) => heard(text)
      audience.listeners.add(own)
      await audience.ready
      return () => {
        audience.listeners.delete(own)
        if (audience.listeners.size > 0 || audiences.get(channel) !== audience) return
        audiences.delete(channel)
        connection.ignore(channel)
      }
    },
  }
}
