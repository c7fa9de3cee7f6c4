import type { FlowTest, FlowTestStep, OperatorStep, SaidObject } from '../../../schemas/flow-test.ts'
import { durationOf } from '../../conversations/effects/mocks/rule-texts.ts'
import type { UserInput } from '../../engine/model/step.ts'
import { ServiceError } from '../../lib/errors.ts'
import { checkStep } from './check-step.ts'
import { type FlowMap, type PathPoint, pathOfTurn, type WayPoint } from './path.ts'
import type { PlayedTurn, TestConversation } from './test-conversation.ts'

/** A step that does not hold, and its place in the file. */
export interface TestFailure {
  readonly pointer: string
  readonly message: string
  /** The last blocks of the turn before it. */
  readonly way?: readonly WayPoint[]
}

interface StepTerms {
  readonly conversation: TestConversation
  readonly map: FlowMap
  readonly isLoose: boolean
  onTurn(turn: PlayedTurn): void
  /** Lets others be served; whether the time for all tests is over. */
  yieldToEventLoop(): Promise<boolean>
}

/** Failure of a test during which the time for all tests ends. */
const outOfTime = 'the time for all tests together is over'

/** Characters of the report on one thing; messages of flows can have millions. */
const longestMessage = 2000

/** A message with its end left out where it is long. */
export const cutMessage = (message: string) =>
  message.length > longestMessage ? `${message.slice(0, longestMessage).toWellFormed()}…` : message

/** Goes through the steps of a test up to the first that does not hold. */
export async function runSteps(
  steps: readonly FlowTestStep[],
  pointer: string,
  { conversation, map, isLoose, onTurn, yieldToEventLoop }: StepTerms,
): Promise<TestFailure[]> {
  let turn = await conversation.start()
  const isPathChecked = steps.some(({ went }) => went !== undefined)
  const passedIn = (played: PlayedTurn) => (isPathChecked ? pathOfTurn(played, map) : [])
  let path: PathPoint[] = passedIn(turn)
  onTurn(turn)
  for (const [index, step] of steps.entries()) {
    const [kind = ''] = Object.keys(step)
    const at = `${pointer}/${index}/${kind}`
    const missed = missedIn(turn)
    if (missed !== undefined) return [{ pointer: at, message: missed }]
    if (await yieldToEventLoop()) return [{ pointer: at, message: outOfTime }]
    if (step.advance !== undefined) conversation.world.advance(durationOf(step.advance))
    else if (step.after !== undefined) {
      if (conversation.world.now === undefined)
        return [{ pointer: at, message: 'needs a clock that stands: add "clock" at the top of the file' }]
      turn = silent(turn)
      for await (const fired of conversation.pass(durationOf(step.after))) {
        turn = joined(turn, fired)
        path.push(...passedIn(fired))
        onTurn(fired)
        if (await yieldToEventLoop()) return [{ pointer: at, message: outOfTime }]
      }
    } else if (step.says !== undefined) {
      const { says, after } = steps.slice(index + 1).find(({ advance }) => advance === undefined) ?? {}
      const said = await sayTo(conversation, step.says, { isLast: (says ?? after) === undefined })
      if (typeof said === 'string') return [{ pointer: at, message: said }]
      turn = said
      path.push(...passedIn(turn))
      onTurn(turn)
    } else if (step.operator !== undefined) {
      const done = await triedTo(() => conversation.operate(step.operator as OperatorStep))
      if (typeof done === 'string') return [{ pointer: at, message: done }]
      turn = done
      path.push(...passedIn(turn))
      onTurn(turn)
    } else {
      const message = checkStep(step, { conversation, turn, path, asked: turn.asked, isLoose })
      if (message !== undefined) return [{ pointer: at, message: cutMessage(`${kind}: ${message}`) }]
      if (step.went !== undefined) path = []
    }
  }
  const missed = missedIn(turn)
  return missed === undefined ? [] : [{ pointer, message: missed }]
}

/** A turn in which nothing happened. */
const silent = (turn: PlayedTurn): PlayedTurn => ({
  ...turn,
  messages: [],
  logs: [],
  asked: [],
  missed: undefined,
})

/** Turns that follow each other without a word of the visitor, as one. */
const joined = (before: PlayedTurn, turn: PlayedTurn): PlayedTurn => ({
  ...turn,
  messages: [...before.messages, ...turn.messages],
  logs: [...before.logs, ...turn.logs],
  asked: [...before.asked, ...turn.asked],
  missed: before.missed ?? turn.missed,
})

/** Says something, with which the window of replies is over unless more follows; the reason where the conversation can't take it. */
export async function sayTo(
  conversation: TestConversation,
  said: NonNullable<FlowTest['says']>[number],
  { isLast = true } = {},
): Promise<PlayedTurn | string> {
  if (!conversation.isWaiting)
    return `nothing can be said to ${JSON.stringify(said)}: the conversation is over`
  return triedTo(async () => {
    const turn = await conversation.say(inputOf(said))
    return (isLast && (await conversation.closeWindow())) || turn
  })
}

/** The reason where it is refused. */
async function triedTo(act: () => Promise<PlayedTurn>): Promise<PlayedTurn | string> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

/** The call that no mock fits: its turn fails whatever the steps expect. */
export function missedIn({ missed }: PlayedTurn): string | undefined {
  return missed === undefined
    ? undefined
    : cutMessage(`no mock fits ${missed}: add a rule, or "unmatched: answer"`)
}

function inputOf(said: string | number | null | SaidObject): UserInput | undefined {
  if (said === null) return undefined
  if (typeof said !== 'object') return { type: 'text', text: String(said) }
  const { text = '', item, files, command } = said
  if (command !== undefined) return { type: 'command', command }
  return {
    type: 'text',
    text,
    ...(item !== undefined && { replyId: item }),
    ...(files && { attachedFileUrls: files }),
  }
}
