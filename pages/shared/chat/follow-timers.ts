import type { Signal } from '@preact/signals'
import {
  type ClientSideAction,
  type Conversation,
  GoneError,
  type Input,
  RefusedError,
  type SessionState,
} from '../../../client/client.ts'
import { words } from '../words/speak.ts'
import type { ChatPhase, Entry, Notice } from './entry.ts'

/** What a chat knows of the timers of its session. */
export interface Timed {
  /** Seconds after which the session may act by itself; undefined where it does not. */
  after?: number | undefined
  /** How many messages of timers are shown that came since the visitor last did something. */
  heard: number
}

/** A chat, as far as timers change it. */
export interface TimedChat {
  readonly timed: Timed
  readonly input: Signal<Input | undefined>
  readonly phase: Signal<ChatPhase>
  readonly notice: Signal<Notice | undefined>
  readonly add: (entry: Entry) => void
  readonly ask: (input: Input | undefined, isAsleep: boolean) => void
  readonly keep: () => void
  /** Keeps how far the session is, and when it acts next. */
  readonly learn: (state: SessionState) => void
  readonly goOn: (state: SessionState) => void
  readonly perform: (action: ClientSideAction) => Promise<unknown>
}

const reconnectMs = 3000
const longestMs = 60_000

/** What is due is looked for by the service once a second. */
const lateMs = 2000

/** Shows what timers have sent, as far as it is new; whether they have since the visitor last did something. */
export function hear({ timed, add }: TimedChat, state: SessionState): boolean {
  const { messages = [], waitingFor, clientSideActions } = state
  // The last is the embed that is waited for.
  const said = waitingFor === 'action' && !clientSideActions ? messages.slice(0, -1) : messages
  const fresh = said.slice(timed.heard)
  for (const message of fresh) add({ kind: 'message', message })
  timed.heard = said.length
  return said.length > 0
}

/** Follows a session that acts by itself by its events; where too many follow, it looks when something is due. */
export async function followTimers(
  chat: TimedChat,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<void> {
  const { timed, add, keep, perform } = chat
  for (let [turn, failures] = [0, 0]; !signal.aborted; turn += 1) {
    let pauseMs = Math.min(reconnectMs * 2 ** failures, longestMs)
    try {
      // What came while nobody listened.
      if (turn > 0) await takeOver(chat, conversation, signal)
      failures = 0
      if (timed.after === undefined) return
      for await (const { type, messages = [], clientSideActions = [] } of conversation.events(signal)) {
        for (const message of messages) add({ kind: 'message', message })
        timed.heard += messages.length
        keep()
        for (const action of clientSideActions) await perform(action)
        if (type === 'updated') await takeOver(chat, conversation, signal)
        if (timed.after === undefined) return
      }
    } catch (error) {
      failures += 1
      if (error instanceof RefusedError && error.status === 429)
        pauseMs = Math.min(timed.after ?? 0, 3600) * 1000 + lateMs
    }
    if (!signal.aborted) await rest(pauseMs, signal)
  }
}

/** Takes over where a session is that went on by itself. */
async function takeOver(chat: TimedChat, conversation: Conversation, signal: AbortSignal): Promise<void> {
  const { timed, input, phase, notice, ask, keep, learn, goOn } = chat
  try {
    const state = await conversation.look(signal)
    signal.throwIfAborted()
    const before = input.value
    const isByItself = hear(chat, state)
    learn(state)
    if (state.clientSideActions) goOn(state)
    else if (before?.id !== state.input?.id || phase.value === 'asleep') {
      ask(state.input, state.wakesAt !== undefined)
      const isPersons = state.paused !== undefined || before?.id === 'paused'
      if (before && !isByItself && !isPersons) notice.value = { text: words.value.otherTab }
    }
  } catch (error) {
    if (!(error instanceof GoneError) || signal.aborted) throw error
    timed.after = undefined
    phase.value = 'over'
  }
  keep()
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
