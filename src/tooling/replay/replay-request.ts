import type { ReplayBody, ReplayResponse } from '../../../schemas/replay.ts'
import type { ChatDependencies } from '../../conversations/dependencies.ts'
import type { RecordingFile } from '../../conversations/recording/recording-file.ts'
import { createRequestDeadline } from '../../conversations/turn/request-deadline.ts'
import { withTurnLimits } from '../../conversations/turn/run-turn.ts'
import type { Program } from '../../engine/model/program.ts'
import { invalidInput, placeProblems } from '../../lib/errors.ts'
import { escapeToken } from '../../lib/json-pointer.ts'
import type { Caller } from '../../ports/caller.ts'
import { TestConversation } from '../flow-tests/test-conversation.ts'
import { BudgetedWork } from '../validate/budgeted-work.ts'
import { UntestableError, writeTests } from './as-test/write-tests.ts'
import { describeDivergence } from './divergence.ts'
import { checkRecording, RecordingError } from './recorded-file.ts'
import { type Replayed, replayRecording } from './replay-recording.ts'
import type { ReplayBounds } from './replay-world.ts'
import type { Programs } from './replaying-executor.ts'

interface ReplayRequest {
  readonly caller: Caller
  readonly body: ReplayBody
}

interface ReplaysDependencies {
  readonly chat: ChatDependencies
  /** Milliseconds for all turns of a request. */
  readonly limitMs: number
}

export type Replays = ReturnType<typeof createReplays>

/** Replays of recordings that requests send. */
export function createReplays(deps: ReplaysDependencies) {
  return {
    /** Runs a recording again, or makes tests of it (docs/api.md 4.23). Throws `ServiceError`. */
    run: (request: ReplayRequest) => replay(request, deps),
  }
}

async function replay(
  { caller, body }: ReplayRequest,
  { chat, limitMs }: ReplaysDependencies,
): Promise<ReplayResponse> {
  const isTrusted = caller.kind === 'preview'
  const deps = withTurnLimits({ kind: 'preview', isTrusted }, chat)
  const file = readSent(body.recording)
  const { limits, heavyTurns } = deps
  const bounds = { limits, heavyTurns, yieldToEventLoop: createRequestDeadline(deps, limitMs) }
  const { program: hash, flowId } = file.start
  const compile = createCompile(deps)
  const programs = await compileSent(file, compile)
  const changed = body.flow === undefined ? undefined : await compile(body.flow, hash, '/flow')
  if (body.asTest) {
    const tested = changed ?? (programs.get(hash) as Program)
    return makeTests(file, { programs, tested, flowId, bounds, deps, isTrusted })
  }
  const terms = changed
    ? { programs: new Map([...programs, [hash, changed]]), isChanged: true }
    : { programs }
  return describe(await replayRecording(file, { ...terms, bounds }), file)
}

interface MakeTestsTerms {
  readonly programs: Programs
  /** The program that the tests are of. */
  readonly tested: Program
  readonly flowId: string
  readonly bounds: ReplayBounds
  readonly deps: ChatDependencies
  readonly isTrusted: boolean
}

async function makeTests(file: RecordingFile, terms: MakeTestsTerms): Promise<ReplayResponse> {
  const { programs, tested, flowId, bounds, deps, isTrusted } = terms
  const turns = file.turns.length
  try {
    const tests = await writeTests(file, {
      programs,
      bounds,
      name: 'as it was recorded',
      flow: `${flowId}.json`,
      open: (mocks, first) =>
        new TestConversation({
          program: tested,
          mocks: { unmatched: 'fail', ...mocks },
          ...first,
          isTrusted,
          deps,
        }),
    })
    return { turns, tests }
  } catch (error) {
    if (error instanceof UntestableError) return { turns, untestable: error.message }
    throw error
  }
}

function describe({ turns, divergence, isCut, masked }: Replayed, file: RecordingFile): ReplayResponse {
  return {
    turns: file.turns.length,
    // A turn that fails leaves nothing behind.
    replayed: Math.max(turns.length, divergence?.turn ?? 0),
    ...(isCut && { isCut }),
    ...(masked && { masked: [...masked] }),
    ...(divergence && {
      divergence: {
        turn: divergence.turn,
        ...(divergence.blockId !== undefined && { blockId: divergence.blockId }),
        description: describeDivergence(divergence, file),
      },
    }),
  }
}

function readSent(sent: unknown): RecordingFile {
  try {
    const file = checkRecording(sent)
    const changed = file.turns.findIndex(({ found }) => found !== undefined)
    // It is a session as a whole, which nothing but the service itself may say.
    if (changed >= 0) throw refused(`/turns/${changed}/found`, 'is only run again by flow-runtime replay')
    return file
  } catch (error) {
    throw error instanceof RecordingError ? refused(error.pointer, error.problem) : error
  }
}

const refused = (pointer: string, message: string) =>
  invalidInput([{ pointer: `/recording${pointer}`, message }])

type Compile = (definition: unknown, hash: string, place: string) => Promise<Program>

/** Compiles one definition after the other within the time of a turn, and lets others be served in between. */
function createCompile(deps: ChatDependencies): Compile {
  const work = new BudgetedWork(deps)
  return async (definition, hash, place) => {
    try {
      return (await work.run(deps.drafts.read(definition, hash))).program
    } catch (error) {
      throw placeProblems(error, place)
    }
  }
}

async function compileSent({ definitions }: RecordingFile, compile: Compile): Promise<Programs> {
  const programs = new Map<string, Program>()
  for (const [hash, definition] of Object.entries(definitions)) {
    const place = `/recording/definitions/${escapeToken(hash)}`
    programs.set(hash, await compile(definition, hash, place))
  }
  return programs
}
