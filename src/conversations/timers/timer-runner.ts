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

/** Windows of replies that are open in this process, and that it closes in time; what is beyond is found when it is due. */
const mostSoon = 10_000

/** The turns of timers that a process takes. */
interface TimerRunner {
  /** Looks for no more of what is due, which other processes take; the windows that are open here are closed in time. */
  drain(): void
  /** Ends it, once the turns under way are over. */
  end(): Promise<void>
}

/** Takes the turns of sessions whose timers are due, the earliest first. Any number of processes may do so on one back end. */
export function runTimers(deps: ChatDependencies): TimerRunner {
  const aside = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  const soon = new Map<string, NodeJS.Timeout>()
  let isDraining = false
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
      if (underWay.size >= atOnce) await Promise.race(underWay)
      if (isDraining) break
      begin(each)
    }
    return due.length === atOnce
  }

  function begin(due: DueSession): void {
    const turn = fire(due).finally(() => underWay.delete(turn))
    underWay.add(turn)
  }

  /** A window may have been moved by another reply, and its turn taken by another process: then nothing comes of it. */
  function beginIn(due: DueSession, inMs: number): void {
    clearTimeout(soon.get(due.id))
    if (soon.size >= mostSoon && !soon.has(due.id)) return
    const timer = setTimeout(() => {
      soon.delete(due.id)
      if (underWay.size < atOnce) begin(due)
    }, inMs)
    soon.set(due.id, timer.unref())
  }

  async function poll(): Promise<void> {
    try {
      while (!isDraining && (await fireSome())) await new Promise(setImmediate)
    } catch (error) {
      // A store that is away has said so itself, and once.
      if (!isClosed && !(error instanceof ServiceError))
        deps.log.warn({ err: error }, 'sessions with timers cannot be looked for')
    }
    schedule()
  }

  function schedule(): void {
    if (isDraining) return
    timer = setTimeout(() => {
      running = poll()
    }, pollMs).unref()
  }

  deps.dueSoon.hear(beginIn)
  schedule()
  const drain = () => {
    isDraining = true
    clearTimeout(timer)
  }
  return {
    drain,
    async end() {
      drain()
      isClosed = true
      deps.dueSoon.hear(() => {})
      for (const each of soon.values()) clearTimeout(each)
      await running
      await Promise.all(underWay)
    },
  }
}
