import { setInitialVariables } from '../../src/chat/start/initial-variables.ts'
import type { Conversation } from '../../src/engine/model/conversation.ts'
import type { Program } from '../../src/engine/model/program.ts'
import { createTurn } from '../../src/engine/turn/block-context.ts'
import { Variables } from '../../src/engine/values/variables.ts'
import { resume } from '../../src/engine/walk/resume-walk.ts'
import { start } from '../../src/engine/walk/start-walk.ts'
import type { Json } from '../../test/support/json.ts'
import { defaultLimits } from '../../test/support/limits.ts'
import { settle } from '../../test/support/settle-effects.ts'
import { programOf } from '../../test/support/walk-flow.ts'
import {
  clientScriptFlow,
  decisionFlow,
  expressionFlow,
  loopFlow,
  prefilled,
  staticFlow,
  variablesFlow,
} from '../flows/published.ts'
import type { Figures, Measurement } from '../measurement.ts'
import { median, rounded } from '../support/figures.ts'

const turnsARound = 20_000
const rounds = 9

/** A turn that is walked over and over. */
export interface WalkedTurn {
  readonly name: string
  walk(): unknown
}

/** What the walk of a turn takes by itself: no request, no session that is stored, no response that is written. */
export const engineOnly: Measurement = {
  name: 'engine-only: a turn, without HTTP and stores',
  async measure() {
    const figures: Record<string, Figures[string]> = {}
    for (const { name, walk } of turnsToWalk()) figures[name] = { µs: microseconds(walk) }
    return figures
  },
}

/** The turns that are measured. */
export function turnsToWalk(): readonly WalkedTurn[] {
  const flows: [string, Json][] = [
    ['start: static flow', staticFlow],
    ['start: variables', variablesFlow],
    ['start: variables, condition, set variable', decisionFlow],
    ['start: the same and a client-side script', clientScriptFlow],
    ['start: the same and a simple expression', expressionFlow],
  ]
  const starts = flows.map(([name, flow]) => {
    const program = programOf(flow)
    return { name, walk: () => startOnce(program) }
  })
  const conversation = startOnce(programOf(loopFlow))
  return [...starts, { name: 'continue: text answer', walk: () => continueOnce(conversation) }]
}

function microseconds(work: () => unknown): number {
  const measured: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    for (let turn = 0; turn < turnsARound; turn++) work()
    const { user, system } = process.cpuUsage(before)
    measured.push((user + system) / turnsARound)
  }
  return rounded(median(measured))
}

const turnOptions = {
  limits: defaultLimits,
  textBubbleContentFormat: 'richText',
  elapsed: () => performance.now(),
} as const

/** All that these flows ask for is a moment in which others are served. */
function finish(effects: ReturnType<typeof start>): void {
  settle(effects, () => true)
}

function startOnce(program: Program): Conversation {
  const conversation = conversationOf(program)
  const turn = createTurn(conversation, turnOptions)
  setInitialVariables(turn, { prefilled: prefilled.prefilledVariables, remembered: [] })
  finish(start(turn, undefined, undefined))
  return conversation
}

function continueOnce(conversation: Conversation): void {
  const turn = createTurn(conversation, turnOptions)
  finish(resume(turn, { type: 'text', text: 'Analytical Engines' }))
}

function conversationOf(program: Program): Conversation {
  return {
    frames: [
      {
        program,
        variables: new Variables(program.variables),
        answers: new Map(),
        resultId: 'result-1',
        resumeAt: undefined,
        mergesResults: false,
      },
    ],
    returnStack: [],
    isLive: true,
    isStreamEnabled: false,
    isProgressTracked: true,
    acceptedReplies: 0,
    mails: 0,
    transcript: program.needsTranscript ? [] : undefined,
    waitingBlock: undefined,
  }
}
