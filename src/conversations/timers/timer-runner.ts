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

/** Takes the turns of sessions whose timers are due, the earliest first. Any number of processes may do so on one back end. */
export class TimerRunner {
  readonly #deps: ChatDependencies
  readonly #aside = new Map<string, number>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #soon = new Map<string, NodeJS.Timeout>()
  #isDraining = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(deps: ChatDependencies) {
    this.#deps = deps
    deps.dueSoon.hear((due, inMs) => this.#beginIn(due, inMs))
    this.#schedule()
  }

  /** Looks for no more of what is due, which other processes take; the windows that are open here are closed in time. */
  drain(): void {
    this.#isDraining = true
    clearTimeout(this.#timer)
  }

  /** Ends it, once the turns under way are over. */
  async end(): Promise<void> {
    this.drain()
    this.#isClosed = true
    this.#deps.dueSoon.hear(() => {})
    for (const each of this.#soon.values()) clearTimeout(each)
    await this.#running
    await Promise.all(this.#underWay)
  }

  #schedule(): void {
    if (this.#isDraining) return
    this.#timer = setTimeout(() => {
      this.#running = this.#poll()
    }, pollMs).unref()
  }

  async #poll(): Promise<void> {
    try {
      while (!this.#isDraining && (await this.#fireSome())) await new Promise(setImmediate)
    } catch (error) {
      // A store that is away has said so itself, and once.
      if (!this.#isClosed && !(error instanceof ServiceError))
        this.#deps.log.warn({ err: error }, 'sessions with timers cannot be looked for')
    }
    this.#schedule()
  }

  /** Begins turns as there is room for them: a slow one takes no more than its place. True where there may be more due. */
  async #fireSome(): Promise<boolean> {
    const now = this.#deps.ports.elapsed()
    for (const [id, until] of this.#aside) if (until <= now) this.#aside.delete(id)
    const found = await this.#deps.conversations.due(atOnce + this.#aside.size)
    const due = found.filter(({ id }) => !this.#aside.has(id)).slice(0, atOnce)
    for (const each of due) {
      if (this.#underWay.size >= atOnce) await Promise.race(this.#underWay)
      if (this.#isDraining) break
      this.#begin(each)
    }
    return due.length === atOnce
  }

  /** A window may have been moved by another reply, and its turn taken by another process: then nothing comes of it. */
  #beginIn(due: DueSession, inMs: number): void {
    const soon = this.#soon
    clearTimeout(soon.get(due.id))
    if (soon.size >= mostSoon && !soon.has(due.id)) return
    const timer = setTimeout(() => {
      soon.delete(due.id)
      if (this.#underWay.size < atOnce) this.#begin(due)
    }, inMs)
    soon.set(due.id, timer.unref())
  }

  #begin(due: DueSession): void {
    const turn = this.#fire(due).finally(() => this.#underWay.delete(turn))
    this.#underWay.add(turn)
  }

  async #fire(due: DueSession): Promise<void> {
    const { ports, log } = this.#deps
    // Whatever comes of it, it is not found again at once.
    this.#aside.set(due.id, ports.elapsed() + asideMs)
    try {
      await fireTimer(due, this.#deps)
      this.#aside.delete(due.id)
    } catch (error) {
      // What is away or overloaded has said so itself, and once, and not for each turn that waits for it.
      const isAway = error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE'
      if (!this.#isClosed && !isAway)
        log.warn({ err: error }, 'the turn of a timer has failed, and is tried again')
    }
  }
}
