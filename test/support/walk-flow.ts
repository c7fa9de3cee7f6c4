import { blockRegistry } from '../../src/blocks/index.ts'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { compileFlow } from '../../src/engine/compile/compile-flow.ts'
import type { BlockRegistry } from '../../src/engine/model/block-handler.ts'
import type { Conversation } from '../../src/engine/model/conversation.ts'
import type { CodeJob, CodeResult } from '../../src/engine/model/effect-payloads.ts'
import type { Effect, EffectAnswer, Effects } from '../../src/engine/model/effects.ts'
import type { Limits } from '../../src/engine/model/limits.ts'
import { logForAuthors } from '../../src/engine/model/log-entry.ts'
import type { Program } from '../../src/engine/model/program.ts'
import type { UserInput } from '../../src/engine/model/step.ts'
import { createTurn } from '../../src/engine/turn/block-context.ts'
import type { Turn } from '../../src/engine/turn/turn.ts'
import type { TurnJournal } from '../../src/engine/turn/turn-journal.ts'
import type { TurnOutput } from '../../src/engine/turn/turn-output.ts'
import { Variables } from '../../src/engine/values/variables.ts'
import { presentWaiting } from '../../src/engine/walk/present-waiting.ts'
import { resume } from '../../src/engine/walk/resume-walk.ts'
import { type StartFrom, start } from '../../src/engine/walk/start-walk.ts'
import { wholeDefinition } from './conformance.ts'
import { fixedNow } from './fixed-ports.ts'
import type { Json } from './json.ts'
import { defaultLimits } from './limits.ts'
import { settle } from './settle-effects.ts'

/**
 * How effects are answered, by type; `nth` counts the effects of that type in a conversation from 1, and of code its
 * pieces.
 */
export type EffectTable = {
  readonly [Type in Exclude<Effect['type'], 'evaluate'>]?: (
    effect: Extract<Effect, { type: Type }>,
    nth: number,
  ) => EffectAnswer<Type>
} & { readonly evaluate?: (job: CodeJob, nth: number) => CodeResult }

/** What differs from a published flow that is started plainly, in a world where nothing is left to chance. */
export interface Given {
  readonly limits?: Partial<Limits>
  readonly registry?: BlockRegistry
  readonly isLive?: boolean
  readonly from?: StartFrom
  readonly message?: string | UserInput
  readonly textBubbleContentFormat?: 'richText' | 'markdown'
  /** Flows that links find by their ids. */
  readonly linked?: readonly Json[]
  readonly effects?: EffectTable
  /** The clock that measures how long the turn takes; it stands still unless one is given. */
  readonly elapsed?: () => number
  /** Writes down each turn. */
  readonly journal?: TurnJournal
}

/** A conversation after a turn, and what the turn produced. */
export interface Walked {
  readonly turn: Turn
  readonly conversation: Conversation
  readonly output: OutputView
  /** Every effect that was asked for. */
  readonly asked: readonly Effect[]
  /** What the text bubbles said, as markdown. */
  readonly texts: readonly string[]
  /** Hands something, or nothing, to the waiting block, in a turn of its own. */
  reply(reply?: string | UserInput): Walked
  /** Says again what the conversation waits for. */
  look(): Walked
}

/** Compiles a definition, which may be as short as those of conformance cases. */
export function programOf(definition: Json, registry = blockRegistry): Program {
  return compileFlow(readDefinition(wholeDefinition(definition)), registry, 'hash')
}

/** Starts a definition and walks its first turn. */
export function walkFlow(definition: Json, given: Given = {}): Walked {
  const program = programOf(definition, given.registry)
  const message = inputOf(given.message)
  const answerTo = answering({ ...usualEffects(given), ...given.effects })
  const conversation = conversationOf(program, given.isLive ?? true)
  const run = (walk: (turn: Turn) => Effects<unknown>): Walked => {
    const turn = createTurn(conversation, {
      limits: { ...defaultLimits, ...given.limits },
      textBubbleContentFormat: given.textBubbleContentFormat ?? 'markdown',
      elapsed: given.elapsed ?? (() => 0),
      journal: given.journal,
    })
    const asked: Effect[] = []
    settle(walk(turn), (effect) => {
      asked.push(effect)
      return answerTo(effect)
    })
    const texts = turn.output.messages.flatMap(({ value }) =>
      value.type === 'text' && 'markdown' in value.content ? value.content.markdown : [],
    )
    const reply = (next?: string | UserInput) => run((turn) => resume(turn, inputOf(next)))
    const output = viewOf(turn.output)
    return { turn, conversation, output, asked, texts, reply, look: () => run(presentWaiting) }
  }
  return run((turn) => start(turn, given.from, message))
}

/** The output of a turn as it was at its end, its logs as authors read them. */
type OutputView = Pick<
  TurnOutput,
  | 'messages'
  | 'input'
  | 'actions'
  | 'logs'
  | 'answers'
  | 'said'
  | 'finished'
  | 'defects'
  | 'lastMessageNewFormat'
  | 'dynamicTheme'
>

function viewOf(output: TurnOutput): OutputView {
  const { messages, input, actions, answers, said, finished, defects } = output
  const { lastMessageNewFormat, dynamicTheme } = output
  const logs = output.logs.map(logForAuthors)
  return {
    messages,
    input,
    actions,
    logs,
    answers,
    said,
    finished,
    defects,
    lastMessageNewFormat,
    dynamicTheme,
  }
}

const inputOf = (message: string | UserInput | undefined): UserInput | undefined =>
  typeof message === 'string' ? { type: 'text', text: message } : message

function conversationOf(program: Program, isLive: boolean): Conversation {
  const variables = new Variables(program.variables)
  const resultId = isLive ? 'result-1' : undefined
  const root = { program, variables, answers: new Map(), resultId, resumeAt: undefined, mergesResults: false }
  return {
    frames: [root],
    returnStack: [],
    isLive,
    isStreamEnabled: false,
    isProgressTracked: true,
    acceptedReplies: 0,
    mails: 0,
    transcript: program.needsTranscript ? [] : undefined,
    waitingBlock: undefined,
  }
}

function usualEffects({ linked = [], registry }: Given): Required<EffectTable> {
  const programs = new Map(linked.map((flow) => [flow['id'], programOf(flow, registry)]))
  return {
    now: () => fixedNow,
    random: () => 0,
    id: (_, nth) => `id-${nth}`,
    yield: () => true,
    evaluate: () => ({ ok: false, message: 'there is no sandbox here', reason: 'busy' }),
    request: () => ({ kind: 'off', reason: 'nothing is sent here' }),
    mail: () => ({ kind: 'refused', message: 'nothing is sent here' }),
    complete: () => ({ kind: 'no account' }),
    callVendor: () => ({ kind: 'no account' }),
    signToken: () => ({ kind: 'no account' }),
    link: ({ flowId }) => {
      const program = programs.get(flowId)
      return program ? { program } : { refusal: `Flow "${flowId}" was not found` }
    },
  }
}

type AnswerTo = (effect: Effect) => EffectAnswer

function answering(table: Required<EffectTable>): AnswerTo {
  const counts = new Map<string, number>()
  const count = (type: Effect['type']) => {
    const nth = (counts.get(type) ?? 0) + 1
    counts.set(type, nth)
    return nth
  }
  return (effect) =>
    effect.type === 'evaluate'
      ? effect.jobs.map((job) => table.evaluate(job, count('evaluate')))
      : table[effect.type](effect as never, count(effect.type))
}
