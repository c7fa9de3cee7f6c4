import { ServiceError } from '../../lib/errors.ts'
import type { DueSession } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { fireTimer } from './fire-timer.ts'

/** How often what is due is looked for. */
const pollMs = 1000

/** Turns of timers at once: visitors come in between, however many are due. */
const atOnce = 32

/** How long a session is left alone whose turn has failed. */
const asideMs = 30_000

/**
 * Takes the turns of sessions whose timers are due, the earliest first. Any number of processes may do so on one back end. Returns
 * what ends it, once the turns under way are over.
 */
export function runTimers(deps: ChatDependencies): () => Promise<void> {
  const aside = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()

  async function fire(due: DueSession): Promise<void> {
    // Whatever comes of it, it is not found again at once.
    aside.set(due.id, deps.ports.elapsed() + asideMs)
    try {
      await fireTimer(due, deps)
      aside.delete(due.id)
    } catch (error) {
      if (!isClosed) deps.log.warn({ err: error }, 'the turn of a timer has failed, and is tried again')
    }
  }

  /** Begins turns as there is room for them: a slow one takes no more than its place. True where there may be more due. */
  async function fireSome(): Promise<boolean> {
    const now = deps.ports.elapsed()
    for (const [id, until] of aside) if (until <= now) aside.delete(id)
    const found = await deps.conversations.due(atOnce + aside.size)
    const due = found.filter(({ id }) => !aside.has(id)).slice(0, atOnce)
    for (const each of due) {
      if (underWay.size === atOnce) await Promise.race(underWay)
      if (isClosed) break
      const turn = fire(each).finally(() => underWay.delete(turn))
      underWay.add(turn)
    }
    return due.length === atOnce
  }

  async function poll(): Promise<void> {
    try {
      while (!isClosed && (await fireSome())) await new Promise(setImmediate)
    } catch (error) {
      // A store that is away has said so itself, and once.
      if (!isClosed && !(error instanceof ServiceError))
        deps.log.warn({ err: error }, 'sessions with timers cannot be looked for')
    }
    schedule()
  }

  function schedule(): void {
    if (isClosed) return
    timer = setTimeout(() => {
      running = poll()
    }, pollMs).unref()
  }

  schedule()
  return async () => {
    isClosed = true
    clearTimeout(timer)
    await running
    await Promise.all(underWay)
  }
}
