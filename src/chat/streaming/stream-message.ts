import { LRUCache } from 'lru-cache'
import { currentFrameOf } from '../../engine/model/conversation.ts'
import { placeOf } from '../../engine/model/log-entry.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import { ServiceError } from '../../errors.ts'
import type { Chat, StreamMessageRequest } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type OpenSession, openSession } from '../session/open-session.ts'
import { sessionVersion } from '../session/session-version.ts'
import { withTimeLimit } from '../turn/abort.ts'
import { withTurnLimits } from '../turn/preview-limits.ts'
import { type AsyncQueue, createAsyncQueue } from './async-queue.ts'
import { saveStreamResult } from './save-stream-result.ts'
import { maxStreamMs, type StreamRequest, streamBlock } from './stream-block.ts'
import { StreamError, toStreamError } from './stream-error.ts'
import { endRecord, failureRecord, textRecord } from './stream-protocol.ts'

/** Streams that a session may ask for each time that it waits, and in all: they are the operator's cost. */
const mostOfVisit = 5
const mostOfSession = 200

/** Sessions of this process that are counted; the one that streamed longest ago is forgotten first. */
const mostCounted = 10_000

/** A stream that runs. */
interface RunningStream {
  /** The state of the session from which its answer was asked. */
  readonly state: string
  /** Ends it for one that comes when the conversation has gone on. */
  readonly overtaken: AbortController
}

/**
 * Streams the answer of the model that the session waits for (docs/api.md, "Streaming an answer").
 *
 * The session is not held meanwhile: a continue that comes before the end is served, and then nothing of the answer
 * is kept. Throws NOT_FOUND, FORBIDDEN, BAD_REQUEST, CONFLICT for a second stream of what a session waits for,
 * TOO_MANY_REQUESTS for one too many, and SERVICE_UNAVAILABLE when the model can't be had, before the first text.
 */
export function createStreamMessage(deps: ChatDependencies): Chat['streamMessage'] {
  const streams = new Map<string, RunningStream>()
  const counts = new LRUCache<string, Count>({ max: mostCounted })
  return async (request) => {
    const open = await openSession(request, deps)
    const block = streamingBlock(open)
    const { session } = open.stored
    const key = `${session.kind} ${session.id}`
    const state = sessionVersion(open.stored)
    const earlier = streams.get(key)
    if (earlier?.state === state) {
      throw new ServiceError('CONFLICT', 'An answer of this session is being streamed already')
    }
    const count = countOne(`${key} ${session.createdAt}`, state, counts)
    earlier?.overtaken.abort()
    const running = { state, overtaken: new AbortController() }
    streams.set(key, running)
    const records = createAsyncQueue()
    // Runs on while the records are read; it ends with them, or when the client has gone.
    void stream({ open, block, request, records, count, ...running }, deps).finally(() => {
      if (streams.get(key) === running) streams.delete(key)
    })
    return records.opened
  }
}

/** What a session has asked for. */
interface Count {
  /** As what it waits for is known now: keeping an answer changes the state, and makes no new visit of it. */
  visit: string
  ofVisit: number
  ofSession: number
}

/** Counts one more stream. Throws TOO_MANY_REQUESTS, and counts nothing, when there were enough. */
function countOne(id: string, state: string, counts: LRUCache<string, Count>): Count {
  const count = counts.get(id) ?? { visit: state, ofVisit: 0, ofSession: 0 }
  if (count.visit !== state) Object.assign(count, { visit: state, ofVisit: 0 })
  if (count.ofVisit >= mostOfVisit || count.ofSession >= mostOfSession) {
    throw new ServiceError('TOO_MANY_REQUESTS', 'This session has been streamed to too often')
  }
  count.ofVisit += 1
  count.ofSession += 1
  counts.set(id, count)
  return count
}

function streamingBlock({ conversation: { waitingBlock } }: OpenSession): CompiledBlock {
  if (!waitingBlock) throw new ServiceError('NOT_FOUND', 'The session waits at no block')
  if (waitingBlock.handler?.stream) return waitingBlock
  throw new ServiceError('BAD_REQUEST', 'The session does not wait for an answer that can be streamed')
}

interface Streaming extends Pick<StreamRequest, 'open' | 'block'>, RunningStream {
  readonly request: StreamMessageRequest
  readonly records: AsyncQueue
  readonly count: Count
}

/** Streams an answer to its end. Never rejects. */
async function stream(streaming: Streaming, deps: ChatDependencies): Promise<void> {
  const { open, block, request, records, state, overtaken, count } = streaming
  try {
    const result = await withTimeLimit(maxStreamMs, deps.closing, (limit) => {
      const signal = AbortSignal.any([limit, request.signal, overtaken.signal])
      const { trace } = request
      const streamRequest = {
        open,
        block,
        trace,
        signal,
        onText: (text: string) => records.push(textRecord(text)),
      }
      return streamBlock(streamRequest, withTurnLimits(open.stored.session, deps))
    })
    const kept = await saveStreamResult(result, { request, state }, deps)
    if (count.visit === state) count.visit = kept
    records.push(endRecord(result.finishReason))
  } catch (reason) {
    const error = overtaken.signal.aborted ? goneOn() : reason
    const failure = toStreamError(error)
    if (failure && !request.signal.aborted) {
      const report = (err: unknown) => deps.log.error({ err }, 'why an answer failed could not be kept')
      const place = placeOf(currentFrameOf(open.conversation).program, block)
      const logs = [{ ...failure.log, place }]
      await saveStreamResult({ assignments: [], logs }, { request, state }, deps).catch(report)
    }
    const isForAuthor = !open.conversation.isLive
    sendFailure(failure, { error, records, isForAuthor }, deps)
  }
  records.end()
}

function goneOn(): StreamError {
  return new StreamError('CONFLICT', 'The conversation has gone on meanwhile')
}

function sendFailure(
  failure: StreamError | undefined,
  {
    error,
    records,
    isForAuthor,
  }: { readonly error: unknown; readonly records: AsyncQueue; isForAuthor: boolean },
  { log }: Pick<ChatDependencies, 'log'>,
): void {
  if (!records.isOpen) {
    records.refuse(failure ?? error)
    return
  }
  if (!failure) log.error({ err: error }, 'an answer could not be streamed to its end')
  const { message = 'Something went wrong inside', details } = failure ?? {}
  records.push(
    failureRecord({ description: message, ...(isForAuthor && details !== undefined && { details }) }),
  )
  records.push(endRecord('error'))
}
