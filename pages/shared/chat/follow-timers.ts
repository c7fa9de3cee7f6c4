import type { Signal } from '@preact/signals'
import {
  type ClientSideAction,
  type Conversation,
  GoneError,
  type Input,
  type Message,
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

/** Milliseconds between looks for people, after so many in which nobody has done anything. */
const pauseAfter = (silentMs: number) => {
  if (silentMs < 30 * 60_000) return 12_000
  // Each look prolongs the life of the session.
  return silentMs < 12 * 3_600_000 ? longestMs : 2 ** 31 - 1
}

/** Shows what timers have sent, as far as it is new; whether they have since the visitor last did something. */
export function hear({ timed, add }: TimedChat, state: SessionState): boolean {
  const said = saidByItself(state)
  const fresh = said.slice(timed.heard)
  for (const message of fresh) add({ kind: 'message', message })
  timed.heard = said.length
  return said.length > 0
}

function saidByItself({ messages = [], waitingFor, clientSideActions }: SessionState): readonly Message[] {
  // The last is the embed that is waited for.
  return waitingFor === 'action' && !clientSideActions ? messages.slice(0, -1) : messages
}

/**
 * Follows a session that acts by itself, and looks for people in one that does not. `spy` is a conversation of its own, where
 * there may be people: its looks leave the version that the visitor answers.
 */
export async function followSession(
  chat: TimedChat,
  conversation: Conversation,
  signal: AbortSignal,
  spy?: Conversation,
): Promise<void> {
  while (!signal.aborted && chat.phase.value !== 'over') {
    if (chat.timed.after !== undefined) await followTimers(chat, conversation, signal)
    else if (spy) await lookForPeople(chat, conversation, signal, spy)
    else return
  }
}

/** Follows a session by its events; where too many follow, it looks when something is due. */
async function followTimers(chat: TimedChat, conversation: Conversation, signal: AbortSignal): Promise<void> {
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

/** Looks now and then, while the page is seen, until a person has come or has ended the conversation. */
async function lookForPeople(
  chat: TimedChat,
  conversation: Conversation,
  signal: AbortSignal,
  spy: Conversation,
): Promise<void> {
  const { timed, phase } = chat
  const isSeen = () => document.visibilityState === 'visible'
  let [since, notBefore, wake] = [Date.now(), 0, () => {}]
  const wakeUp = () => {
    if (!isSeen()) return
    since = Date.now()
    wake()
  }
  document.addEventListener('visibilitychange', wakeUp, { signal })
  while (!signal.aborted && timed.after === undefined && phase.value !== 'over') {
    const now = Date.now()
    const pauseMs = Math.max(pauseAfter(now - since), notBefore - now)
    await new Promise<void>((resolve) => {
      wake = resolve
      void rest(pauseMs, signal).then(() => (isSeen() || signal.aborted) && resolve())
    })
    if (signal.aborted || Date.now() < notBefore) continue
    try {
      if (!(await isPersonThere(timed, spy, signal))) continue
      await takeOver(chat, conversation, signal)
      since = Date.now()
    } catch (error) {
      const seconds = (error instanceof RefusedError && error.retryAfterSeconds) || 0
      notBefore = Date.now() + Math.max(seconds * 1000, longestMs)
    }
  }
  document.removeEventListener('visibilitychange', wakeUp)
}

/** Whether a person leads the conversation, has written, or has ended it. */
async function isPersonThere({ heard }: Timed, spy: Conversation, signal: AbortSignal): Promise<boolean> {
  try {
    const state = await spy.look(signal)
    return state.paused !== undefined || saidByItself(state).length > heard
  } catch (error) {
    if (error instanceof GoneError) return true
    throw error
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
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
