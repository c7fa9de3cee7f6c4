import { type IsOurs, QueuePump } from '../../delivery/queue-pump.ts'
import type { Metrics } from '../../ports/metrics-port.ts'
import type { Ports } from '../../ports/ports.ts'
import type { ContactStore } from '../../stores/contact-store.ts'
import type { ConversationStore } from '../../stores/conversation-store.ts'
import type {
  ClaimedEvent,
  InboxStore,
  OutboxStore,
  SendOutcome,
} from '../../stores/outgoing/outbox-store.ts'
import type { ChannelDirectory, OpenChannel } from '../channel-directory.ts'
import type { CallDependencies } from '../messenger.ts'
import { Pace } from './pace.ts'
import { sendEvent } from './send-event.ts'

interface SenderOptions {
  readonly directory: ChannelDirectory
  readonly outbox: Pick<OutboxStore, 'claim' | 'settle'>
  readonly inbox: Pick<InboxStore, 'put'>
  readonly contacts: Pick<ContactStore, 'find'>
  readonly conversations: Pick<ConversationStore, 'watchOutgoing'>
  readonly calls: CallDependencies
  readonly ports: Pick<Ports, 'now' | 'elapsed' | 'random'>
  readonly metrics: Pick<Metrics, 'deliveryDone'>
  readonly log: { warn(details: object, message: string): void }
}

/** Sending by one channel, as this process sees it. */
interface State {
  readonly pace: { readonly person: Pace; readonly account: Pace }
  /** Why its account can't send at all; undefined while it can. */
  problem?: string | undefined
  /** By a clock that only goes forward. */
  pausedUntil: number
  pauseMs: number
  /** When it is looked again for what was too much for the account. */
  wakesAt: number
}

const atOnce = 64
const leaseMs = 60_000
const shortestPauseMs = 5_000
const longestPauseMs = 5 * 60_000

/** Sends what the outbox has for messengers. */
export class ChannelSender extends QueuePump {
  readonly #options: SenderOptions
  readonly #states = new Map<string, State>()

  constructor(options: SenderOptions) {
    const { directory, outbox, conversations, ports, log } = options
    super({
      queue: outbox,
      refresh: () => directory.refresh(),
      destinations: () => this.#destinations(),
      mostOf: (destination) => this.#mostOf(destination),
      handle: (event, isOurs) => this.#handle(event, isOurs),
      atOnce,
      leaseMs,
      elapsed: ports.elapsed,
      log,
      what: 'messages for messengers',
      watch: conversations.watchOutgoing,
    })
    this.#options = options
  }

  /** Ends the pause of a channel that an operator has seen to. */
  resume(name: string): void {
    this.#states.delete(name)
    this.wake()
  }

  /** Pauses a channel whose messenger has told of a message since that its account can send nothing. */
  readonly accountFailed = (name: string, problem: string): void => {
    const channel = this.#enabled().find((each) => each.name === name)
    if (channel) this.#pause(this.#stateOf(channel), problem)
  }

  /** Why nothing is sent by a channel at present; undefined where it is. */
  problemOf(name: string): string | undefined {
    return this.#states.get(name)?.problem
  }

  #destinations(): readonly string[] {
    const now = this.#options.ports.elapsed()
    return this.#enabled().flatMap(({ name, destination }) => {
      const { pausedUntil = 0 } = this.#states.get(name) ?? {}
      return pausedUntil > now ? [] : [destination]
    })
  }

  #enabled(): readonly OpenChannel[] {
    return this.#options.directory.open.filter(({ disabled }) => disabled === undefined)
  }

  /** Messages that can't be sent yet stay unclaimed: they cost nothing, and wait for no lease where this process ends. */
  #mostOf(destination: string): number {
    const channel = this.#enabled().find((each) => each.destination === destination)
    if (!channel) return 0
    const state = this.#stateOf(channel)
    if (state.problem !== undefined) return 1
    const { account } = state.pace
    const now = this.#options.ports.elapsed()
    const waitMs = account.waitMs('')
    if (waitMs > 0 && state.wakesAt <= now) {
      state.wakesAt = now + waitMs
      setTimeout(this.wake, waitMs).unref()
    }
    return account.free('')
  }

  async #handle(event: ClaimedEvent, isOurs: IsOurs): Promise<SendOutcome> {
    const channel = this.#enabled().find(({ destination }) => destination === event.destination)
    if (!channel) return { state: 'waiting', pauseMs: shortestPauseMs }
    const { calls, contacts, inbox, metrics, ports } = this.#options
    const state = this.#stateOf(channel)
    const { outcome, accountProblem } = await sendEvent(event, channel, {
      ...ports,
      calls,
      contacts,
      inbox,
      isOurs,
      pace: state.pace,
    })
    const isTried = outcome.state !== 'waiting' || outcome.error !== undefined
    if (isTried && event.type === 'message')
      metrics.deliveryDone('channel', outcome.state === 'waiting' ? 'failed' : outcome.state)
    if (accountProblem !== undefined) this.#pause(state, accountProblem)
    else if (outcome.state === 'delivered' && event.type === 'message')
      Object.assign(state, { problem: undefined, pauseMs: shortestPauseMs })
    return outcome
  }

  #stateOf({ name, account: { messenger } }: OpenChannel): State {
    const { elapsed } = this.#options.ports
    const { person, account } = messenger.rates
    const fresh = {
      pace: { person: new Pace(person, elapsed), account: new Pace(account, elapsed) },
      pausedUntil: 0,
      pauseMs: shortestPauseMs,
      wakesAt: 0,
    }
    const state = this.#states.get(name) ?? fresh
    this.#states.set(name, state)
    return state
  }

  #pause(state: State, problem: string): void {
    const now = this.#options.ports.elapsed()
    state.problem = problem
    // Of several at once, the first has paused it.
    if (state.pausedUntil > now) return
    state.pausedUntil = now + state.pauseMs
    state.pauseMs = Math.min(state.pauseMs * 2, longestPauseMs)
  }
}
