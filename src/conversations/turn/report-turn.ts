import type { LogEntry, LogPlace } from '../../engine/model/log-entry.ts'
import type { TurnOutput } from '../../engine/turn/turn-output.ts'
import { sessionHash } from '../../lib/session-hash.ts'
import { nameOfPreviews } from '../../ports/request-log-port.ts'
import type { ChatDependencies, ServiceLog } from '../dependencies.ts'
import type { TurnOwner } from '../effects/turn-owner.ts'

/** Reports blocks that failed unexpectedly to the operator: where, and with which stack. */
export function reportDefects({ defects }: TurnOutput, owner: ReportedOwner, log: ServiceLog): void {
  for (const { error, block } of defects) {
    log.error(
      {
        err: error,
        ...namesOf(owner),
        blockId: block.id,
        blockType: block.type,
        groupId: block.group.id,
      },
      'a block handler failed',
    )
  }
}

/** Owner of a turn, as far as the log of the service names it. */
type ReportedOwner = Pick<TurnOwner, 'publicId' | 'sessionId' | 'requestLog'>

function namesOf(owner: ReportedOwner) {
  const { publicId, sessionId, requestLog } = owner
  return {
    flow: publicId ?? nameOfPreviews,
    conversation: sessionHash(sessionId),
    requestId: requestLog?.requestId,
  }
}

/** Places of one turn that are named in the log of the service; a flow can fail at a thousand in one request. */
const reportedPlaces = 10

/** Ids in a draft are as long as its author likes. */
const idLength = 100

/** Whether a turn left a log that says that something failed. */
export function hasErrors(logs: readonly LogEntry[]): boolean {
  return logs.some(isError)
}

const isError = ({ status }: LogEntry) => status === 'error'

/**
 * Names the blocks that left error logs, once each, in the log of the service. What the logs say stays out: it may
 * quote a visitor, a value or another system.
 */
export function reportErrors(
  logs: readonly LogEntry[],
  owner: ReportedOwner,
  { log, metrics }: Pick<ChatDependencies, 'log' | 'metrics'>,
): void {
  if (!hasErrors(logs)) return
  metrics.errorsLeft(owner.publicId, logs.filter(isError).length)
  const places = countByPlace(logs)
  const request = namesOf(owner)
  for (const { place, errors } of places.slice(0, reportedPlaces)) {
    const message = place.blockId === undefined ? outsideBlocks : 'a block left error logs'
    log.warn({ ...request, ...shortened(place), errors }, message)
  }
  const unnamed = places.length - reportedPlaces
  if (unnamed > 0) log.warn({ ...request, blocks: unnamed }, 'more blocks left error logs')
}

const outsideBlocks = 'a flow left error logs outside of its blocks'

interface FailedPlace {
  readonly place: Partial<LogPlace>
  errors: number
}

function countByPlace(logs: readonly LogEntry[]): FailedPlace[] {
  const failures = new Map<string, FailedPlace>()
  for (const { status, place = {} } of logs) {
    if (status !== 'error') continue
    const key = JSON.stringify(place)
    const failure = failures.get(key) ?? { place, errors: 0 }
    failure.errors += 1
    failures.set(key, failure)
  }
  return [...failures.values()]
}

function shortened(place: Partial<LogPlace>): Partial<LogPlace> {
  return Object.fromEntries(Object.entries(place).map(([name, id]) => [name, id.slice(0, idLength)]))
}
