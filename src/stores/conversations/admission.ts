import { ServiceError } from '../../lib/errors.ts'
import type { NotEntered } from '../conversation-store.ts'
import type { Acquired, AcquireRequest, ConversationTable, SessionRow } from './conversation-table.ts'
import { LeaseKeeper } from './lease-keeper.ts'
import { retriesOf } from './lease-retries.ts'
import { Lines } from './session-lines.ts'
import { TurnLease } from './turn-lease.ts'
import type { LeaseTerms } from './unreturned-leases.ts'

interface Wanted extends Omit<AcquireRequest, 'token' | 'isClaimOnly'> {
  /** Refused rather than to wait for another. */
  readonly isIdleOnly?: boolean
}

/** A request that was let in, alone, and what there is. */
interface Admitted {
  readonly state: 'admitted'
  readonly lease: TurnLease
  readonly rows: readonly SessionRow[]
}

type Busy = Extract<Acquired, { state: 'busy' }>

interface AdmissionOptions extends LeaseTerms {
  readonly table: ConversationTable
  /** Turns that wait for one session in this process, besides the one that runs. */
  readonly maxQueuedTurns: number
  /** Milliseconds from its arrival for which a turn waits for those of other processes. */
  readonly maxWaitMs: number
  /** Distinguishes the tokens of this process from others. */
  readonly processName: string
}

const tooManyWaiting: NotEntered = Object.freeze({ state: 'too many waiting' })

/**
 * Lets requests into sessions one at a time: in order of arrival inside this process, and by the leases of the table over all
 * processes. What was claimed or taken is given back wherever a request does not go on.
 */
export class Admission {
  readonly keeper: LeaseKeeper
  readonly #options: AdmissionOptions
  readonly #lines: Lines
  /** Of those who try again. */
  readonly #wakes = new Set<() => void>()
  #tokens = 0
  #isClosed = false

  constructor(options: AdmissionOptions) {
    this.keeper = new LeaseKeeper(options)
    this.#options = options
    this.#lines = new Lines(options.maxQueuedTurns)
  }

  /** Waits for its turn; a request whose key is known does not. */
  async letIn(wanted: Wanted): Promise<Admitted | NotEntered> {
    const until = this.#options.elapsed() + this.#options.maxWaitMs
    if (wanted.isIdleOnly && !this.#lines.isFree(wanted.id)) return tooManyWaiting
    const lease = new TurnLease(wanted, this.#nextToken(), this.#lines.join(wanted.id))
    const isFirst = lease.place !== undefined && lease.place.turn === undefined
    try {
      const refusal = isFirst ? undefined : await this.#waitInLine(wanted, lease)
      let outcome = refusal ?? (await this.#take(wanted, lease))
      if (outcome.state === 'busy')
        outcome = wanted.isIdleOnly ? tooManyWaiting : await this.#takeLater(wanted, lease, outcome.id, until)
      if (outcome.state !== 'admitted') await this.leave(lease)
      return outcome
    } catch (error) {
      await this.leave(lease)
      throw error
    }
  }

  /** Gives back what a request holds, if it still holds something, and lets the next one in. Does nothing when it is repeated. */
  async leave(lease: TurnLease): Promise<void> {
    if (this.keeper.holds(lease)) await this.keeper.release(lease)
    this.#leaveLine(lease)
  }

  /** Lets the next one in, as the table has the lease back. */
  left(lease: TurnLease): void {
    this.keeper.drop(lease)
    this.#leaveLine(lease)
  }

  /** Refuses all that wait, and gives back what this process holds. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#lines.refuseWaiting(shuttingDown())
    for (const wake of this.#wakes) wake()
    await this.keeper.abandon()
  }

  #nextToken(): string {
    this.#tokens += 1
    return `${this.#options.processName}.${this.#tokens}`
  }

  async #waitInLine(wanted: Wanted, lease: TurnLease): Promise<NotEntered | undefined> {
    if (wanted.claim) {
      const outcome = await this.#take(wanted, lease, true)
      if (outcome.state !== 'busy') return outcome as NotEntered
      this.keeper.hold(lease)
    }
    if (!lease.place) return tooManyWaiting
    await lease.place.turn
    return undefined
  }

  /** Tries again whenever another process may have left. */
  async #takeLater(
    wanted: Wanted,
    lease: TurnLease,
    id: string,
    until: number,
  ): Promise<Admitted | NotEntered> {
    lease.id = id
    if (lease.claim !== undefined) this.keeper.hold(lease)
    for await (const _ of retriesOf(id, until, { ...this.#options, wakes: this.#wakes })) {
      if (this.#isClosed) throw shuttingDown()
      const outcome = await this.#take(wanted, lease)
      if (outcome.state !== 'busy') return outcome
    }
    return tooManyWaiting
  }

  async #take(wanted: Wanted, lease: TurnLease, isClaimOnly = false): Promise<Admitted | Busy | NotEntered> {
    const { id, claim, needs } = wanted
    const { token } = lease
    const heldUntil = this.keeper.heldUntil()
    let outcome: Acquired
    try {
      outcome = await this.#options.table.acquire({ id, token, claim, needs, isClaimOnly })
    } catch (error) {
      this.keeper.takeBack({ id, token, claim: claim?.name })
      throw error
    }
    if (outcome.state !== 'acquired') return outcome.state === 'busy' ? outcome : refusalOf(outcome, wanted)
    lease.id = outcome.id
    lease.heldUntil = heldUntil
    this.keeper.hold(lease)
    if (this.#isClosed) throw shuttingDown()
    return { state: 'admitted', lease, rows: outcome.rows }
  }

  #leaveLine({ place }: TurnLease): void {
    if (place) this.#lines.leave(place)
  }
}

function refusalOf(
  outcome: Exclude<Acquired, { state: 'acquired' | 'busy' }>,
  { claim }: Wanted,
): NotEntered {
  if (outcome.state !== 'claimed') return { state: 'not found' }
  const { fingerprint, answer } = outcome
  if (fingerprint !== claim?.fingerprint) return { state: 'other request' }
  return answer === undefined ? { state: 'running' } : { state: 'answered', answer }
}

const shuttingDown = () => new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
