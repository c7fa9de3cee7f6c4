import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import type { StartChatBody } from '../../../schemas/start-chat.ts'
import { takeTurn } from '../../conversations/continue/take-turn.ts'
import type { RecordingFile } from '../../conversations/recording/recording-file.ts'
import { restoreConversation } from '../../conversations/session/restore-conversation.ts'
import { serializeConversation } from '../../conversations/session/serialize-conversation.ts'
import { walkFirstTurn } from '../../conversations/start/walk-first-turn.ts'
import type { CallEntry } from '../../conversations/turn/journal.ts'
import type { TurnRun } from '../../conversations/turn/run-turn.ts'
import { readUserInput } from '../../conversations/turn/user-input.ts'
import { chooseLocale, type Program, programIn } from '../../engine/model/program.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { RecordedTurn } from '../../sessions/recorded-session.ts'
import type { Session } from '../../sessions/session.ts'
import { readConversation, writeConversation } from '../../stores/codec/conversation-codec.ts'
import { compareTurns, compareWays } from './compare-turns.ts'
import { DivergedError, type Divergence } from './divergence.ts'
import { createReplayWorld, type ReplayBounds, type ReplayWorld } from './replay-world.ts'
import { createStrictExecutor, LenientAnswers, type Programs } from './replaying-executor.ts'

/** Options of a replay. */
interface ReplayTerms {
  /** Every program of it, by the name that the recording has for it. */
  readonly programs: Programs
  /** Whether another stands in the place of the one that was started: what it asks may then differ as well. */
  readonly isChanged?: boolean
  /** Undefined where it may take as long as it does. */
  readonly bounds?: ReplayBounds | undefined
  /** Called with every call of a turn that is over; `turn` counts from 0. */
  readonly onAnswered?: ((turn: number, call: CallEntry) => void) | undefined
}

/** Outcome of a replay. */
export interface Replayed {
  /** Those that were run, the one included that parts. */
  readonly turns: readonly RecordedTurn[]
  /** Absent where every turn is the same, byte by byte. */
  readonly divergence?: Divergence
  /** Whether a bound ended it before the last turn. */
  readonly isCut?: true
  /** Variables whose values are masked in the turn that it ended before. */
  readonly masked?: readonly string[]
}

const sessionId = 'replayed'

/** Runs a recording again up to its end, to where it parts, or to a bound. */
export async function replayRecording(file: RecordingFile, terms: ReplayTerms): Promise<Replayed> {
  const { start, turns } = file
  const { programs, isChanged = false, bounds } = terms
  const lenient = new LenientAnswers(
    turns.flatMap(({ effects }) => effects),
    programs,
  )
  const replayed: RecordedTurn[] = []
  let recorded: RecordedTurn | undefined
  let running: Turn | undefined
  const world = createReplayWorld({
    start,
    programs,
    bounds,
    createExecutor(turn) {
      running = turn
      return isChanged ? lenient : createStrictExecutor(recorded?.effects ?? [], turn, programs)
    },
  })
  for (recorded of turns) {
    if (await bounds?.yieldToEventLoop()) return { turns: replayed, isCut: true }
    const masked = maskedIn(recorded, file)
    if (masked.length > 0) return { turns: replayed, masked }
    running = undefined
    const number = replayed.length + 1
    try {
      const { journal } = await runTurn(recorded, file, { world, programs })
      for (const call of journal?.calls ?? []) terms.onAnswered?.(replayed.length, call)
    } catch (error) {
      // The service has no room for it, which says nothing about the conversation.
      if (error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE') throw error
      const trail = (running as Turn | undefined)?.budget.trail.map(({ id }) => id) ?? []
      return { turns: replayed, divergence: { turn: number, ...describeFailure(error, recorded, trail) } }
    }
    if (world.isOutOfTime) return { turns: replayed, isCut: true }
    const now = world.session?.recording?.turns.at(-1)
    if (!now) throw new Error('a turn that is run again is written down')
    replayed.push(now)
    const difference = compareTurns(recorded, now)
    if (difference) return { turns: replayed, divergence: { turn: number, ...difference } }
  }
  return { turns: replayed }
}

/** Variables of which a turn holds marks in the places of values: what it did with these is not known. */
function maskedIn(turn: RecordedTurn, { start, masked = [] }: RecordingFile): readonly string[] {
  if (masked.length === 0) return []
  const text = JSON.stringify(turn.entry === 'start' ? [start, turn] : turn)
  return [...new Set(masked.filter(({ mark }) => text.includes(mark)).map(({ name }) => name))]
}

interface Run {
  readonly world: ReplayWorld
  readonly programs: Programs
}

async function runTurn(recorded: RecordedTurn, file: RecordingFile, run: Run): Promise<TurnRun> {
  return recorded.entry === 'start' ? runStart(recorded, file, run) : runContinue(recorded, run)
}

async function runStart(
  { request }: RecordedTurn,
  { start: { resultId, publishedAt, visitor, contact, channel, isProgressTracked, ...facts } }: RecordingFile,
  { world, programs }: Run,
): Promise<TurnRun> {
  const kind = resultId === undefined ? 'preview' : 'live'
  const program = programs.get(facts.program) as Program
  const locale = chooseLocale(program, request)
  const { run, start } = await walkFirstTurn(
    {
      program: programIn(locale, program),
      locale,
      body: request as StartChatBody,
      startFrom: request.startFrom,
      owner: { kind, sessionId },
      contact,
      channel,
      ...(resultId !== undefined && { resultId }),
      ...(visitor && {
        visitor: { resultId: resultId ?? '', ...visitor, answers: new Map(visitor.answers) },
      }),
      isProgressTracked,
      publishedAt,
      recordingWish: {},
    },
    world.deps,
  )
  const { conversation, createdAt, isOnlyRegistering, recording, timers } = start
  world.session = serializeConversation(conversation, {
    id: sessionId,
    createdAt,
    isRegisteredOnly: isOnlyRegistering,
    contact,
    channel: channel && { ...channel, name: '', to: '' },
    recording,
    timers,
  })
  return run
}

async function runContinue(
  { request, payload, found }: RecordedTurn,
  { world }: Pick<Run, 'world'>,
): Promise<TurnRun> {
  const { deps } = world
  if (!world.session)
    throw new ServiceError(
      'BAD_REQUEST',
      'The recording continues a conversation that no turn before has started',
    )
  // As a store keeps it.
  const { session } = readConversation(writeConversation(sessionFor(world.session, found), 1))
  const body = request as ContinueChatBody
  const conversation =
    session.state === 'ended' ? undefined : await restoreConversation(session, deps, body.locale)
  if (!conversation)
    throw new ServiceError('NOT_FOUND', 'The recording continues a conversation that has ended')
  const stored = {
    session,
    revision: 1,
    payload: payload === undefined ? undefined : { number: 1, text: payload },
  }
  const lease = { id: sessionId, revision: 1 }
  const held = { stored, conversation, lease }
  const { run, commit } = await takeTurn(readUserInput(body.message), held, {
    request: { body, timer: request.timer, act: request.act, isOutcome: request.isOutcome },
    deps,
  })
  world.session = commit.session
  return run
}

/** Changes that another request made to the session in between are taken over as a whole. */
function sessionFor(left: Session, found: RecordedTurn['found']): Session {
  const { id, kind, createdAt, contact, channel, recording } = left
  return found ? ({ id, kind, createdAt, contact, channel, recording, ...found } as unknown as Session) : left
}

function describeFailure(
  error: unknown,
  { blocks }: RecordedTurn,
  trail: readonly string[],
): Omit<Divergence, 'turn'> {
  if (error instanceof DivergedError) {
    const earlier = compareWays(blocks, trail, Math.min(error.blocks, trail.length))
    return earlier ?? { blockId: trail[error.blocks - 1], what: error.message }
  }
  const did = error instanceof ServiceError ? 'is refused' : 'fails'
  return { blockId: trail.at(-1), what: `it ${did}: ${(error as Error).message.slice(0, longestReason)}` }
}

/** Characters of an error that are quoted. */
const longestReason = 500
