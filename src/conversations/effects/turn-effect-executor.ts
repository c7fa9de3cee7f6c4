import type {
  CodeJob,
  CodeResult,
  CompletionOutcome,
  CompletionRequest,
  Mail,
  MailOutcome,
  OutgoingRequest,
  RequestOutcome,
  TokenOutcome,
  TokenRequest,
  VendorCall,
  VendorOutcome,
} from '../../engine/model/effect-payloads.ts'
import type { EffectAnswer, LinkAnswer } from '../../engine/model/effects.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { VendorAccount } from '../../ports/credentials-port.ts'
import type { OutgoingOptions, StreamedResponse } from '../../ports/http-client-port.ts'
import type { ResolvedMail } from '../../ports/mailer-port.ts'
import type { PublishedFlows } from '../../stores/published-flows.ts'
import { ownerOf } from '../../uploads/upload-path.ts'
import type { TurnDependencies } from '../dependencies.ts'
import { withTimeLimit } from '../turn/abort.ts'
import { CallBudget } from '../turn/call-budget.ts'
import { createCallNames } from './call-key.ts'
import { CodeRunner } from './code/code-runner.ts'
import type { EffectExecutor, PerformedEffect } from './effect-executor.ts'
import { sendByGmail } from './mail/send-by-gmail.ts'
import { createMailSender, type MailSender, type UnsentMail } from './mail/send-mail.ts'
import { requestCompletion } from './models/chat-completion-client.ts'
import { inlineImages } from './models/inline-images.ts'
import type { TurnOwner } from './turn-owner.ts'
import { codeOwnerOf, credentialScopeOf, maySendRequests } from './turn-owner.ts'
import { callVendor, type VendorCallTerms } from './vendors/call-vendor.ts'
import { asStreamed, streamDifyAnswer, type VendorStreamTerms } from './vendors/stream-vendor-answer.ts'
import type { FileTerms } from './vendors/vendor-files.ts'

/** Where the answer of a vendor is passed on to. */
export interface VendorStream extends Pick<VendorStreamTerms, 'onText'> {
  /** Aborted when it is no longer wanted. */
  readonly signal: AbortSignal
}

type SendToVendor = VendorCallTerms['send']

const previewIsOff = 'Requests are not sent from this preview'

/** Performs the effects of one turn within what its owner may do and what one turn may use up. */
export class TurnEffectExecutor implements EffectExecutor {
  readonly #turn: Turn
  readonly #owner: TurnOwner
  readonly #deps: TurnDependencies
  readonly #budget: CallBudget
  readonly #named: (request: OutgoingRequest) => OutgoingRequest
  #sendMail: MailSender | undefined
  #code: CodeRunner | undefined

  /** `startedAt` is when the turn began, if that was before now. */
  constructor(turn: Turn, owner: TurnOwner, deps: TurnDependencies, startedAt = deps.ports.elapsed()) {
    this.#turn = turn
    this.#owner = owner
    this.#deps = deps
    this.#named = createCallNames(owner)
    this.#budget = new CallBudget(deps, { startedAt, lease: owner.lease })
  }

  perform(effect: PerformedEffect): EffectAnswer | Promise<EffectAnswer> {
    const { ports } = this.#deps
    switch (effect.type) {
      case 'now':
        return ports.now()
      case 'random':
        return ports.random()
      case 'id':
        return ports.createId('value')
      case 'link':
        return this.findFlow(effect.flowId)
      case 'evaluate':
        return this.evaluate(effect.jobs)
      case 'request':
        return this.request(effect.request)
      case 'mail':
        return this.mail(effect.mail)
      case 'complete':
        return this.complete(effect.completion)
      case 'callVendor':
        return this.callVendor(effect.call)
      case 'signToken':
        return this.signToken(effect.request)
    }
  }

  findFlow(flowId: string): Promise<LinkAnswer> {
    return resolveFlowLink(flowId, this.#owner, this.#deps.published)
  }

  /** One piece after the other, as they share the time that code of a turn may take. */
  async evaluate(jobs: readonly CodeJob[]): Promise<readonly CodeResult[]> {
    this.#code ??= new CodeRunner({
      owner: codeOwnerOf(this.#turn, this.#owner),
      budget: this.#budget,
      deps: this.#deps,
      outOfTime: this.#outOfTime,
      send: (request, ended) => this.request(request, ended),
    })
    const results: CodeResult[] = []
    for (const job of jobs) results.push(await this.#code.run(job))
    return results
  }

  /** Sends a request, which ends with the service unless another signal is given. */
  async request(wanted: OutgoingRequest, ended: AbortSignal = this.#deps.closing): Promise<RequestOutcome> {
    const outcome = await this.#send(wanted, { signal: ended })
    this.#deps.metrics.requestDone(outcome)
    return outcome
  }

  async mail(mail: Mail): Promise<MailOutcome> {
    const outcome = await this.#post(mail)
    this.#deps.metrics.mailDone(outcome)
    return outcome
  }

  async complete(completion: CompletionRequest): Promise<CompletionOutcome> {
    const outcome = await this.#askModel(completion)
    this.#deps.metrics.questionDone(outcome)
    return outcome
  }

  async callVendor(call: VendorCall): Promise<VendorOutcome> {
    const send: SendToVendor = (request) =>
      this.#send(request, { signal: this.#deps.closing, isTrusted: true })
    return this.#countVendorCall(await this.#sendToVendor(call, send))
  }

  /** As `callVendor`, for an answer of which each piece of text is passed on as it comes. */
  async streamVendor(call: VendorCall, { signal, onText }: VendorStream): Promise<VendorOutcome> {
    const send: SendToVendor = async (request, secrets) => {
      try {
        const response = await this.#stream(request, { isTrusted: true, signal })
        if (!response) return { kind: 'spent', reason: this.#outOfCalls }
        return await streamDifyAnswer(response, { secrets, onText }, this.#deps)
      } catch (error) {
        return { kind: 'failed', message: error instanceof Error ? error.message : 'The answer broke off' }
      }
    }
    return this.#countVendorCall(await this.#sendToVendor(asStreamed(call), send))
  }

  signToken({ vendor, credentialsId = `default-${vendor}`, claims }: TokenRequest): TokenOutcome {
    const scope = credentialScopeOf(this.#turn, this.#owner)
    const token = this.#deps.credentials.vendor(credentialsId, vendor, scope)?.sign?.(claims)
    return token === undefined ? { kind: 'no account' } : { kind: 'token', token }
  }

  get #outOfCalls(): string {
    return `The turn has made all the outgoing calls that it may (${this.#deps.limits.callsPerTurn})`
  }

  get #outOfTime(): string {
    return `The turn has no time left (${this.#deps.limits.wholeTurnMs} ms)`
  }

  #countVendorCall(outcome: VendorOutcome): VendorOutcome {
    if (outcome.kind !== 'no account' && outcome.kind !== 'no room') this.#deps.metrics.requestDone(outcome)
    return outcome
  }

  #sendToVendor(call: VendorCall, send: SendToVendor): Promise<VendorOutcome> | VendorOutcome {
    if (!maySendRequests(this.#owner, this.#deps)) return { kind: 'off', reason: previewIsOff }
    const { sessionId } = this.#owner
    const { resultId = sessionId } = this.#turn.conversation.frames[0]
    const scope = credentialScopeOf(this.#turn, this.#owner)
    const owner = ownerOf(this.#turn.currentFrame.resultId, sessionId)
    const stream: FileTerms['stream'] = (request, options) => this.#stream(request, options)
    const files = { owner, stream }
    return callVendor(call, { scope, visitor: resultId, sessionId, send, files }, this.#deps)
  }

  /** As `#send`, for a response that is read piece by piece. */
  async #stream(request: OutgoingRequest, options: OutgoingOptions): Promise<StreamedResponse | undefined> {
    const timeoutMs = Math.max(1, Math.min(request.timeoutMs, this.#budget.leftMs()))
    const stream = () =>
      this.#deps.http.stream(
        { ...this.#named(request), timeoutMs },
        { signal: this.#deps.closing, ...options },
      )
    return this.#budget.call(stream)
  }

  async #send(request: OutgoingRequest, options: OutgoingOptions): Promise<RequestOutcome> {
    if (!maySendRequests(this.#owner, this.#deps)) return { kind: 'off', reason: previewIsOff }
    const timeoutMs = Math.min(request.timeoutMs, this.#budget.leftMs())
    if (timeoutMs <= 0) return { kind: 'timeout' }
    const send = () => this.#deps.http.send({ ...this.#named(request), timeoutMs }, options)
    return (await this.#budget.call(send)) ?? { kind: 'spent', reason: this.#outOfCalls }
  }

  async #post(mail: Mail): Promise<MailOutcome> {
    const { mailer, closing } = this.#deps
    const leftMs = this.#budget.leftMs()
    if (leftMs <= 0) return { kind: 'refused', message: this.#outOfTime }
    const send = (posted: ResolvedMail) =>
      this.#budget.call(() => withTimeLimit(leftMs, closing, (signal) => mailer.send(posted, signal)))
    this.#sendMail ??= createMailSender(this.#turn, this.#deps)
    const scope = credentialScopeOf(this.#turn, this.#owner)
    const call = (wanted: VendorCall) => this.callVendor(wanted)
    const byGmail = (unsent: UnsentMail, account: VendorAccount) =>
      sendByGmail(unsent, { account, mailer, call })
    const terms = { scope, send, sendByGmail: byGmail }
    return (await this.#sendMail(mail, terms)) ?? { kind: 'refused', message: this.#outOfCalls }
  }

  async #askModel(asked: CompletionRequest): Promise<CompletionOutcome> {
    if (!maySendRequests(this.#owner, this.#deps)) return { kind: 'failed', message: previewIsOff }
    const timeoutMs = this.#budget.leftMs()
    if (timeoutMs <= 0) return { kind: 'failed', message: this.#outOfTime }
    const scope = credentialScopeOf(this.#turn, this.#owner)
    const { resultId } = this.#turn.currentFrame
    const owner = ownerOf(resultId, this.#owner.sessionId)
    const completion = await inlineImages(asked, { owner, files: this.#deps.files })
    const mayRepeat = () => this.#budget.countRepeat()
    const terms = { scope, timeoutMs, name: this.#named, mayRepeat }
    const ask = () => requestCompletion(completion, terms, this.#deps)
    return (await this.#budget.call(ask)) ?? { kind: 'failed', message: this.#outOfCalls }
  }
}

/**
 * Finds the flow that a link names: a published flow's id, then its public id. A stranger's preview reaches nothing but
 * itself.
 */
async function resolveFlowLink(
  flowId: string,
  { kind, isTrusted }: Pick<TurnOwner, 'kind' | 'isTrusted'>,
  published: Pick<PublishedFlows, 'byFlowId'>,
): Promise<LinkAnswer> {
  if (kind !== 'live' && !isTrusted) return { refusal: untrustedPreview }
  const found = await published.byFlowId(flowId)
  return found ? { program: found.program } : { refusal: `Flow "${flowId}" was not found` }
}

const untrustedPreview =
  'A preview follows links to published flows only when it is started with the preview token'
