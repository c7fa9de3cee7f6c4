import type { TurnTrace } from '../../../schemas/trace.ts'
import { rootFrameOf } from '../../engine/model/conversation.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import { rounded, TurnRecorder } from '../../engine/turn/turn-recorder.ts'
import type { Ports } from '../../ports/ports.ts'
import type { SessionTrace } from '../../stores/session.ts'
import type { EffectRunner } from '../turn/effect-runner.ts'

/** Turns of a session that are kept, and their characters together: the session is written anew with each turn. */
const mostTurns = 200
const longestTrace = 256 * 1024

/** The trace of a session that no turn was run in. */
export const emptyTrace: SessionTrace = Object.freeze({ turns: 0, kept: [] })

/** What was run. */
interface RecordedTurn {
  readonly turn: Turn
  readonly driver: EffectRunner
  readonly entry: TurnTrace['entry']
}

/** Begins to write a turn down. */
export function startRecording(ports: Pick<Ports, 'now' | 'elapsed'>) {
  const recorder = new TurnRecorder(ports.elapsed)
  const [startedAt, began] = [new Date(ports.now()).toISOString(), ports.elapsed()]
  return {
    /** What the turn is to be run with. */
    recorder,
    /** The trace of the session with this turn, which is over. */
    addTo(trace: SessionTrace, { turn, driver, entry }: RecordedTurn): SessionTrace {
      const { id, hash } = rootFrameOf(turn.conversation).program
      const times = { startedAt, engineMs: rounded(driver.usedMs), wallMs: rounded(ports.elapsed() - began) }
      const number = trace.turns + 1
      return addTurn(trace, { turn: number, entry, flow: { id, hash }, ...times, ...recorder.finish() })
    },
  }
}

/** The oldest turns make room for a new one. */
function addTurn({ kept: earlier }: SessionTrace, added: TurnTrace): SessionTrace {
  const kept = [...earlier, added]
  let length = 0
  let from = kept.length
  while (from > 0 && kept.length - from < mostTurns) {
    length += JSON.stringify(kept[from - 1]).length
    if (length > longestTrace && from < kept.length) break
    from -= 1
  }
  return { turns: added.turn, kept: kept.slice(from) }
}
