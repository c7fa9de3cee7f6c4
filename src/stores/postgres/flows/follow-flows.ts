import { openListener } from '../open-listener.ts'

export interface FollowOptions {
  readonly databaseUrl: string
  /** Milliseconds between two looks, whatever notifications say: they are lost while the server is away. */
  readonly pollMs?: number
}

/** With the deadlines of the listener, a change is known five seconds after it at the latest. */
const usualPollMs = 2_000

const lastChange = 'SELECT max(changed) AS changed FROM flows'

/**
 * Calls with every change of the catalogue, whichever process made it, and once at the beginning; where the call rejects,
 * it is made again. Keeps a connection of its own, which is renewed when it is lost. Returns what ends that.
 */
export function followFlows(
  { databaseUrl, pollMs = usualPollMs }: FollowOptions,
  onChange: () => Promise<void>,
): () => Promise<void> {
  const listener = openListener({ databaseUrl, channel: 'flow_changes', onText: look })
  let seen: unknown
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let looking: Promise<void> | undefined
  let isAskedAgain = false

  async function lookOnce(): Promise<void> {
    await listener.use(async (client) => {
      const { rows } = await client.query<{ changed: unknown }>(lastChange)
      const changed = rows[0]?.changed ?? null
      if (isClosed || changed === seen) return
      await onChange()
      seen = changed
    })
  }

  /** One look at a time: what is asked for meanwhile is one more of them. */
  function look(): void {
    isAskedAgain = looking !== undefined
    if (isClosed || looking) return
    clearTimeout(timer)
    looking = lookOnce()
      // The next look connects again.
      .catch(() => undefined)
      .finally(() => {
        looking = undefined
        if (isAskedAgain) look()
        else if (!isClosed) timer = setTimeout(look, pollMs).unref()
      })
  }

  look()
  return async () => {
    isClosed = true
    clearTimeout(timer)
    await looking
    await listener.close()
  }
}
