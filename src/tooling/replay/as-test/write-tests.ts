import type { FlowTestFile, FlowTestStep, OperatorStep, SaidObject } from '../../../../schemas/flow-test.ts'
import type { Mocks } from '../../../../schemas/mocks.ts'
import type { RecordingFile } from '../../../conversations/recording/recording-file.ts'
import { readUserInput } from '../../../conversations/turn/user-input.ts'
import type { OperatorAct } from '../../../engine/walk/take-over.ts'
import type { RecordedTurn } from '../../../sessions/recorded-session.ts'
import { labelsOf } from '../../flow-tests/check-step.ts'
import { problemsOfTests } from '../../flow-tests/read-tests.ts'
import { missedIn, sayTo } from '../../flow-tests/run-steps.ts'
import type { PlayedTurn, TestConversation } from '../../flow-tests/test-conversation.ts'
import { isPattern, messageText } from '../../flow-tests/texts.ts'
import { describeDivergence } from '../divergence.ts'
import { replayRecording } from '../replay-recording.ts'
import type { ReplayBounds } from '../replay-world.ts'
import type { Programs } from '../replaying-executor.ts'
import { MockCollector } from './collect-mocks.ts'

/** Thrown for a recording that no test can stand for; its message says which turn, and why. */
export class UntestableError extends Error {
  override readonly name = 'UntestableError'
}

/** Beginning of a conversation. */
interface FirstTerms {
  readonly vars: Readonly<Record<string, unknown>>
  readonly locale: string | undefined
}

/** Options of writing tests. */
interface AsTestTerms {
  /** Every program of the recording, by the name that it has there. */
  readonly programs: Programs
  readonly bounds?: ReplayBounds | undefined
  /** Of the test. */
  readonly name: string
  /** The file of the flow, as the file of tests names it. */
  readonly flow: string
  /** Opens a conversation with that flow. */
  open(mocks: Mocks, first: FirstTerms): TestConversation
}

/**
 * Makes a file of tests of a recording: what the visitor said, with the answers of the world as mocks, and what is seen then.
 * Throws an UntestableError where that does not go the way that was recorded.
 */
export async function writeTests(file: RecordingFile, terms: AsTestTerms): Promise<FlowTestFile> {
  const collector = new MockCollector(file.start.resultId)
  const onAnswered: MockCollector['take'] = (turn, answered) => collector.take(turn, answered)
  const { programs, bounds } = terms
  const { divergence, isCut, masked } = await replayRecording(file, { programs, bounds, onAnswered })
  if (isCut) throw outOfTime()
  if (masked) throw new UntestableError(`it masks the values of ${masked.join(', ')}`)
  if (divergence) throw new UntestableError(describeDivergence(divergence, file))
  const { mocks } = collector
  const { prefilledVariables: vars = {}, locale } = file.turns[0]?.request ?? {}
  const steps = await writeSteps(file.turns, {
    collector,
    conversation: terms.open(mocks, { vars, locale }),
    bounds,
  })
  const written: FlowTestFile = {
    flow: terms.flow,
    ...mocks,
    ...(Object.keys(vars).length > 0 && { vars }),
    ...(locale !== undefined && { locale }),
    tests: [{ name: terms.name, steps }],
  }
  const [problem] = problemsOfTests(written)
  if (problem) throw new UntestableError(`there is too much in it: ${problem.pointer} ${problem.message}`)
  return written
}

const outOfTime = () => new UntestableError('the time for it is over')

interface Rehearsal {
  readonly collector: MockCollector
  readonly conversation: TestConversation
  readonly bounds: ReplayBounds | undefined
}

async function writeSteps(
  turns: readonly RecordedTurn[],
  { collector, conversation, bounds }: Rehearsal,
): Promise<FlowTestStep[]> {
  const steps: FlowTestStep[] = []
  for (const [index, recorded] of turns.entries()) {
    if (await bounds?.yieldToEventLoop()) throw outOfTime()
    const number = index + 1
    const reason = whyUntestable(recorded)
    if (reason !== undefined) throw new UntestableError(`turn ${number} ${reason}`)
    if (index > 0) steps.push(...timeBefore(index, collector, conversation))
    const said = saidIn(recorded, collector)
    const turn = await takeTurn(recorded, said, conversation)
    if (typeof turn === 'string') throw new UntestableError(`turn ${number}: ${turn}`)
    const missed = missedIn(turn)
    if (missed !== undefined) throw new UntestableError(`turn ${number}: ${missed}`)
    if (turn.blocks.join() !== recorded.blocks.join())
      throw new UntestableError(`turn ${number} goes another way where code is run anew`)
    if (recorded.entry === 'continue') steps.push({ says: said })
    if (recorded.request.act) steps.push({ operator: stepOfOperator(recorded.request.act) })
    // Between the replies of a window nothing is looked at, so that a test joins them.
    if (!conversation.isGathering) steps.push(...stepsOf(turn, conversation))
  }
  return steps
}

async function takeTurn(
  { entry, request: { act } }: RecordedTurn,
  said: NonNullable<FlowTestStep['says']> | null,
  conversation: TestConversation,
): Promise<PlayedTurn | string> {
  if (entry === 'start') return await conversation.start()
  if (entry === 'continue') return await sayTo(conversation, said, { isLast: false })
  if (act) return await conversation.operate(stepOfOperator(act))
  return (await conversation.closeWindow()) ?? 'no window of replies is open'
}

function stepOfOperator(act: OperatorAct): OperatorStep {
  if (act.type === 'say') return { says: act.text, ...(act.name !== undefined && { name: act.name }) }
  if (act.type === 'open')
    return { status: 'open', ...(act.groupId !== undefined && { groupId: act.groupId }) }
  return { status: act.type === 'pause' ? 'paused' : 'closed' }
}

/** The part of a turn that the format of tests can't express. */
function whyUntestable({ entry, request, payload, found }: RecordedTurn): string | undefined {
  if (request.timer && request.timer.type !== 'reply') return 'is that of a timer'
  if (request.act?.type === 'pause' && request.act.until !== undefined) return 'pauses it until a time'
  const { message, startFrom, isOnlyRegistering, setVariables, locale } = request
  if (startFrom) return 'begins at a chosen place'
  if (entry === 'continue' && locale !== undefined) return 'changes the language'
  if (setVariables) return 'has variables set from outside'
  if (isOnlyRegistering) return 'only registers'
  if (entry === 'start' && message) return 'begins with a message'
  if (payload !== undefined) return 'takes what a webhook was sent'
  if (found) return 'goes on with a session that something else had changed'
  if (readUserInput(message)?.type === 'audio') return 'takes a voice clip'
  return undefined
}

/** Time that has passed where the turn looks at the clock. */
function timeBefore(index: number, collector: MockCollector, { world }: TestConversation): FlowTestStep[] {
  const passed = (collector.momentOf(index) ?? 0) - (world.now ?? 0)
  if (passed <= 0) return []
  world.advance(passed)
  return [{ advance: `${passed}ms` }]
}

function saidIn({ request }: RecordedTurn, collector: MockCollector): string | null | SaidObject {
  const input = readUserInput(request.message)
  if (!input) return null
  if (input.type === 'command') return { command: input.command }
  if (input.type !== 'text') return null
  const { replyId, attachedFileUrls: files } = input
  const text = collector.inTest(input.text)
  if (replyId === undefined && !files) return text
  return { text, ...(replyId !== undefined && { item: replyId }), ...(files && { files }) }
}

function stepsOf(turn: PlayedTurn, { awaited }: TestConversation): FlowTestStep[] {
  const { messages, input, steps } = turn
  const sees = messages.map((message) => {
    const text = asWanted(messageText(message))
    return message.type === 'text' ? text : { [message.type]: text }
  })
  const items = labelsOf(input).map(asWanted)
  const asks = input ? input.type : awaited
  return [
    ...(steps.some(({ reply }) => reply?.outcome === 'refused') ? [{ refused: true }] : []),
    { sees },
    { asks: items.length > 0 ? { type: asks, items } : asks },
  ]
}

/** Characters of a text that a test holds. */
const longest = 9000

/** A text that fits this one alone, or its beginning: what looks like a pattern is none with a gap behind it. */
function asWanted(text: string): string {
  if (text.length > longest) return `${text.slice(0, longest).toWellFormed()}…`
  return isPattern(text.trim()) ? `${text.trim()}…` : text
}
