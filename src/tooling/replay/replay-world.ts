import type { ChatDependencies, TurnLimits } from '../../conversations/dependencies.ts'
import type { EffectExecutor } from '../../conversations/effects/effect-executor.ts'
import type { TurnLimit } from '../../engine/model/limits.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { RecordedStart } from '../../sessions/recorded-session.ts'
import type { Session } from '../../sessions/session.ts'
import type { Programs } from './replaying-executor.ts'

/** Options of a replay's environment. */
interface ReplayWorldTerms {
  readonly start: RecordedStart
  readonly programs: Programs
  readonly bounds: ReplayBounds | undefined
  createExecutor(turn: Turn): EffectExecutor
}

/** Bounds of the turns of a recording, which may come from another service. */
export interface ReplayBounds extends Pick<ChatDependencies, 'limits' | 'heavyTurns'> {
  /** Lets others be served; whether the time for all of it is over. */
  yieldToEventLoop(): Promise<boolean>
}

/** Dependencies of turns without an outside, and the session that the turns leave. */
export interface ReplayWorld {
  readonly deps: ChatDependencies
  session: Session | undefined
  /** Whether a turn was ended as it took longer than it may here. */
  isOutOfTime: boolean
}

const nothing = () => undefined

/** Makes a world in which nothing but what is handed in can be reached. */
export function createReplayWorld({
  start,
  programs,
  bounds,
  createExecutor,
}: ReplayWorldTerms): ReplayWorld {
  const { publicUrl, areResultsRead } = start
  const known = { known: (hash: string) => programs.get(hash) }
  const world: Omit<ReplayWorld, 'deps'> = { session: undefined, isOutOfTime: false }
  const deps = {
    ports: {
      now: () => 0,
      elapsed: () => performance.now(),
      random: () => 0,
      createId: () => 'replayed',
      nextTurn: () => new Promise<void>((resolve) => setImmediate(resolve)),
      firstTurn: nothing,
    },
    limits: limitsOf(start, bounds),
    anonymousPreviews: {},
    heavyTurns: bounds?.heavyTurns ?? { admit: () => true },
    publicUrl,
    areResultsRead,
    recordings: { maxLength: Number.POSITIVE_INFINITY, isPlain: true },
    programs: known,
    drafts: known,
    published: { byFlowId: nothing },
    definitions: { get: async () => '' },
    subscribers: { isEmpty: true },
    log: { warn: nothing, error: nothing },
    metrics: {
      turnDone: nothing,
      errorsLeft: nothing,
      limitReached(limit: TurnLimit) {
        if (limitsOfTime.has(limit)) world.isOutOfTime = true
      },
    },
    createStandIn: createExecutor,
  }
  // Dependencies that a turn does not use when its effects are answered are absent.
  return Object.assign(world, { deps: deps as unknown as ChatDependencies })
}

const limitsOfTime: ReadonlySet<TurnLimit> = new Set(['turnMs', 'blockMs'])

/** Those that were recorded, as far as these are no narrower. A machine of another speed is no difference. */
function limitsOf({ limits }: RecordedStart, bounds: ReplayBounds | undefined): Partial<TurnLimits> {
  const timeless = { ...limits, turnMs: Number.POSITIVE_INFINITY, blockMs: Number.POSITIVE_INFINITY }
  if (!bounds) return timeless
  const recorded: Partial<Record<string, number>> = timeless
  return Object.fromEntries(
    Object.entries(bounds.limits).map(([name, own]) => [name, Math.min(recorded[name] ?? own, own)]),
  )
}
