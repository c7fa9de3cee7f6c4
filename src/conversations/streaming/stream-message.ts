import { currentFrameOf } from '../../engine/model/conversation.ts'
import type { LogEntry } from '../../engine/model/log-entry.ts'
import { logPlaceOf } from '../../engine/model/log-entry.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { Logged } from '../request.ts'
import { type OpenSession, openSession, type SessionRequest } from '../session/open-session.ts'
import { sessionVersion } from '../session/serialize-conversation.ts'
import { withTimeLimit } from '../turn/abort.ts'
import { withTurnLimits } from '../turn/run-turn.ts'
import { AsyncQueue } from './async-queue.ts'
import { saveStreamResult } from './save-stream-result.ts'
import { streamBlock } from './stream-block.ts'
import { StreamError, toStreamError } from './stream-error.ts'
import { maxStreamMs, type StreamRequest } from './streamed-model.ts'
import { countOne, type RunningStream, type StreamCount } from './streams.ts'

export interface StreamMessageRequest extends SessionRequest, Logged {
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal
}

/**
 * Streams the answer of the model that the session waits for (docs/api.md, "Streaming an answer").
 *
 * The session is not held meanwhile: a continue that comes before the end is served, and then nothing of the answer
 * is kept. Throws NOT_FOUND, FORBIDDEN, BAD_REQUEST, CONFLICT for a second stream of what a session waits for,
 * TOO_MANY_REQUESTS for one too many, and SERVICE_UNAVAILABLE when the model can't be had, before the first text.
 */
export async function streamMessage(
  request: StreamMessageRequest,
  deps: ChatDependencies,
): Promise<AsyncIterable<string>> {
  const { running: streams, counts } = deps.streams
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
  const records = new AsyncQueue()
  // Runs on while the records are read; it ends with them, or when the client has gone.
  void stream({ open, block, request, records, count, ...running }, deps).finally(() => {
    if (streams.get(key) === running) streams.delete(key)
  })
  return records.opened
}

function streamingBlock({ conversation: { waitingBlock } }: OpenSession): CompiledBlock {
  if (!waitingBlock) throw new ServiceError('NOT_FOUND', 'The session waits at no block')
  if (waitingBlock.handler?.stream) return waitingBlock
  throw new ServiceError('BAD_REQUEST', 'The session does not wait for an answer that can be streamed')
}

interface StreamTask extends Pick<StreamRequest, 'open' | 'block'>, RunningStream {
  readonly request: StreamMessageRequest
  readonly records: AsyncQueue
  readonly count: StreamCount
}

/** Streams an answer to its end. Never rejects. */
async function stream(streaming: StreamTask, deps: ChatDependencies): Promise<void> {
  const { open, block, request, records, state, overtaken, count } = streaming
  try {
    const result = await withTimeLimit(maxStreamMs, deps.closing, (limit) => {
      const signal = AbortSignal.any([limit, request.signal, overtaken.signal])
      const { requestLog } = request
      const streamRequest = {
        open,
        block,
        requestLog,
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
      const place = logPlaceOf(currentFrameOf(open.conversation).program, block)
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

/** A piece of the answer. */
function textRecord(text: string): string {
  return record('0', text)
}

/** Why the answer broke off, as a client shows it. */
function failureRecord({ description, details }: Pick<LogEntry, 'description' | 'details'>): string {
  const failure = { context: 'While streaming AI', description, ...(details !== undefined && { details }) }
  return record('3', JSON.stringify(failure))
}

/** Nothing follows, and why. */
function endRecord(finishReason: string): string {
  return record('d', { finishReason })
}

/** A line of a stream (docs/api.md, "Streaming an answer"). */
function record(code: string, content: unknown): string {
  return `${code}:${JSON.stringify(content)}\n`
}
