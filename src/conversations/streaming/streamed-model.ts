import type {
  CompletionOutcome,
  CompletionRequest,
  VendorCall,
  VendorOutcome,
} from '../../engine/model/effect-payloads.ts'
import type { CompiledBlock } from '../../engine/model/program.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { Mask } from '../../engine/values/sensitive-values.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { RequestLog } from '../../ports/request-log-port.ts'
import { ownerOf } from '../../uploads/upload-path.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { createCallNames } from '../effects/call-key.ts'
import { inlineImages } from '../effects/models/inline-images.ts'
import { createUnmaskingStream } from '../effects/models/mask-question.ts'
import { streamCompletion } from '../effects/models/stream-completion.ts'
import type { VendorStream } from '../effects/turn-effect-executor.ts'
import { credentialScopeOf, maySendRequests, type TurnOwner } from '../effects/turn-owner.ts'
import { answerIn } from '../effects/vendors/stream-vendor-answer.ts'
import type { OpenSession } from '../session/open-session.ts'
import { StreamError, toUnansweredError } from './stream-error.ts'

/** How long an answer may take, with everything that is done for it, in milliseconds. */
export const maxStreamMs = 120_000

/** An answer to stream. */
export interface StreamRequest {
  readonly open: OpenSession
  /** The one that waits for the answer. */
  readonly block: CompiledBlock
  readonly requestLog?: RequestLog | undefined
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  onText(text: string): void
}

/** The models that a block may ask, all of whose answers are streamed one after the other. */
export class StreamedModel {
  /** Whether a vendor was asked. */
  wasAsked = false
  /** Of the last answer; undefined when nothing was asked. */
  finishReason: string | undefined
  readonly #request: StreamRequest
  readonly #turn: Turn
  readonly #owner: TurnOwner
  readonly #deps: ChatDependencies
  readonly #endsAt: number
  readonly #name: ReturnType<typeof createCallNames>
  /** Characters that may still be sent: a text longer than a variable may be would be lost when it comes back. */
  #left: number
  #repeats = 0
  /** Where the question that is under way has marks in the places of values. */
  #masked: ReturnType<typeof createUnmaskingStream> | undefined

  constructor(
    request: StreamRequest,
    { turn, owner }: { readonly turn: Turn; readonly owner: TurnOwner },
    deps: ChatDependencies,
  ) {
    this.#request = request
    this.#turn = turn
    this.#owner = owner
    this.#deps = deps
    this.#endsAt = deps.ports.elapsed() + maxStreamMs
    this.#left = deps.limits.variableLength
    this.#name = createCallNames({ ...owner, callScope: 'streamed model' })
  }

  /** `mocked` answers in place of the model. */
  async complete(
    completion: CompletionRequest,
    mask: Mask | undefined,
    mocked?: () => Promise<CompletionOutcome>,
  ): Promise<CompletionOutcome> {
    this.#masked = mask && createUnmaskingStream(mask)
    if (mocked) return this.#emitWhole(await mocked())
    const { ports, limits, files, metrics } = this.#deps
    if (!maySendRequests(this.#owner, this.#deps)) throw notSent()
    const terms = {
      scope: credentialScopeOf(this.#turn, this.#owner),
      timeoutMs: Math.max(1, Math.floor(this.#endsAt - ports.elapsed())),
      name: this.#name,
      mayRepeat: () => ++this.#repeats < limits.callsPerTurn,
      signal: this.#request.signal,
      onText: (text: string) => this.#emit(text),
    }
    const owner = ownerOf(this.#turn.currentFrame.resultId, this.#owner.sessionId)
    const outcome = await streamCompletion(
      await inlineImages(completion, { owner, files }),
      terms,
      this.#deps,
    )
    metrics.questionDone(outcome)
    return this.#take(outcome)
  }

  /** A failure comes back to the block, which says so in its log. */
  async callVendor(
    call: VendorCall,
    mask: Mask | undefined,
    perform: (stream: VendorStream) => Promise<VendorOutcome>,
  ): Promise<VendorOutcome> {
    if (!this.#owner.mocks && !maySendRequests(this.#owner, this.#deps)) throw notSent()
    this.wasAsked = true
    this.#masked = mask && createUnmaskingStream(mask)
    let isEmitted = false
    const onText = (text: string) => {
      isEmitted = true
      return this.#emit(text)
    }
    const outcome = await perform({ signal: this.#request.signal, onText })
    this.#refuseWhenClosing()
    if (outcome.kind === 'no account') throw toUnansweredError(outcome, call.vendor)
    const answer = outcome.kind === 'response' ? answerIn(outcome) : undefined
    if (answer === undefined) return outcome
    if (!isEmitted) this.#emit(answer)
    this.#emitRest()
    this.finishReason = this.#left < 0 ? 'length' : 'stop'
    return outcome
  }

  /** False once the text is too long. */
  #emit(piece: string): boolean {
    const text = this.#masked ? this.#masked.add(piece) : piece
    return this.#masked && text === '' ? this.#left >= 0 : this.#show(text)
  }

  #emitRest(): void {
    const rest = this.#masked?.rest() ?? ''
    if (rest !== '') this.#show(rest)
  }

  #show(text: string): boolean {
    this.#request.onText(text.slice(0, this.#left))
    this.#left -= text.length
    return this.#left >= 0
  }

  /** An answer that comes as a whole is one piece. */
  #emitWhole(outcome: CompletionOutcome): CompletionOutcome {
    if (outcome.kind === 'answer') this.#emit(textOf(outcome.body))
    return this.#take(outcome)
  }

  #take(outcome: CompletionOutcome): CompletionOutcome {
    this.#refuseWhenClosing()
    if (outcome.kind !== 'answer') throw toUnansweredError(outcome, this.#request.block.type)
    this.#emitRest()
    this.finishReason = finishReasonOf(outcome.body)
    return outcome
  }

  #refuseWhenClosing(): void {
    if (this.#deps.closing.aborted)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The service is shutting down')
  }
}

const notSent = () => new StreamError('FORBIDDEN', 'Requests are not sent from this preview')

function textOf(body: unknown): string {
  const { choices } = body as { choices: readonly { message?: { content?: string | null } }[] }
  return choices[0]?.message?.content ?? ''
}

function finishReasonOf(body: unknown): string {
  const { choices } = body as { choices: readonly { finish_reason?: string }[] }
  return choices[0]?.finish_reason ?? 'stop'
}
