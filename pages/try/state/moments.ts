import type { ContinueAnswer, Input, Log, Message, TraceTurn, UserMessage } from '../../../client/client.ts'

/** What was said in a conversation. */
export interface Said {
  readonly message: UserMessage | undefined
  /** How it reads; empty for what was no words of a person. */
  readonly shown: string
  /** Whether the browser answered, to something that it was asked to do. */
  readonly isOfAction: boolean
  /** Values that variables were given before it, by name. */
  readonly set?: Values
  /** Whether nobody said anything: a timer fired. */
  readonly isTimer?: boolean
  /** Whether nobody said anything: a person gave the conversation back. */
  readonly isGivenBack?: boolean
}

/** In the place of words, where a person gave the conversation back. */
export const ofGivingBack: Said = { message: undefined, shown: '', isOfAction: false, isGivenBack: true }

/** In the place of words, where a timer fired. */
export const ofTimer: Said = { message: undefined, shown: '', isOfAction: false, isTimer: true }

/** Values of variables, by name. */
export type Values = Readonly<Record<string, unknown>>

/** One turn, as far as this page knows it. */
export interface Moment {
  /** Undefined for the start, and for what was said in another tab. */
  readonly said: Said | undefined
  /** Undefined where no block ran. */
  readonly trace: TraceTurn | undefined
  readonly logs: readonly Log[]
  /** What is waited for then. */
  readonly asks: Pick<Input, 'id' | 'type'> | 'an action' | 'time' | 'person' | 'nothing'
  /** What was shown and is asked, as a messenger would be given it. */
  readonly answer: Pick<Answer, 'messages' | 'input' | 'clientSideActions'>
  readonly isElsewhere?: boolean
  /** The number of the entry of the conversation with which its answer begins; undefined for what is not shown in it. */
  readonly firstEntry?: number
}

interface Answer extends Pick<ContinueAnswer, 'clientSideActions' | 'trace' | 'logs' | 'wakesAt' | 'paused'> {
  readonly messages?: readonly Message[] | undefined
  readonly input?: Input | undefined
}

/** What there is to know of a turn from its answer. */
export function momentOf(said: Said | undefined, answer: Answer): Moment {
  const { messages = [], input, clientSideActions = [], trace, logs = [], wakesAt, paused } = answer
  const isDue = clientSideActions.some(({ expectsDedicatedReply }) => expectsDedicatedReply)
  const rest = isDue ? 'an action' : wakesAt ? 'time' : 'nothing'
  const asks = paused ? 'person' : input ? { id: input.id, type: input.type } : rest
  return { said, trace, logs, asks, answer: { messages, clientSideActions, ...(input && { input }) } }
}

/** The answer of a turn that was taken elsewhere, as far as its trace tells it. */
export function answerIn({ steps }: TraceTurn, input: Input | undefined): Moment['answer'] {
  const messages = steps.flatMap(({ message }) => (message ? [message as Message] : []))
  return { messages, ...(input && { input }) }
}

/** Where a conversation took another way than the one before it. */
export interface Divergence {
  /** Counted from 0, the start. */
  readonly turn: number
  /** The last block that both came to. */
  readonly blockId: string | undefined
  readonly was: string
  readonly is: string
}

/** The first difference between what a turn did and what it does now; undefined where it took the same way. */
export function divergenceOf(turn: number, before: Moment, now: Moment): Divergence | undefined {
  const was = wayOf(before)
  const is = wayOf(now)
  for (let at = 0; at < Math.max(was.length, is.length); at += 1) {
    const [one, other] = [was[at], is[at]]
    if (one?.name !== other?.name) {
      const place = (point: Point | undefined) => point?.name ?? 'an end'
      return { turn, blockId: was[at - 1]?.blockId, was: place(one), is: place(other) }
    }
  }
  return undefined
}

interface Point {
  readonly blockId: string | undefined
  readonly name: string
}

function wayOf({ trace, asks }: Moment): Point[] {
  const passed = (trace?.steps ?? []).map(({ block: { blockId, blockType }, reply }): Point => {
    const outcome = reply ? `, ${reply.outcome}` : ''
    return { blockId, name: `“${blockId}” (${blockType}${outcome})` }
  })
  const waits = typeof asks === 'string' ? `waiting for ${asks}` : `waiting for “${asks.id}” (${asks.type})`
  return [...passed, { blockId: passed.at(-1)?.blockId, name: waits }]
}
