import { rootFrameOf } from '../../engine/model/conversation.ts'
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
import type { OutgoingOptions, ResolvedMail } from '../../ports.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { withTimeLimit } from '../turn/abort.ts'
import { CallBudget } from '../turn/call-budget.ts'
import { callKey, withCallKey } from './call-key.ts'
import { callVendor } from './call-vendor.ts'
import { requestCompletion } from './chat-completion-client.ts'
import { CodeRunner } from './code-runner.ts'
import type { EffectExecutor, PerformedEffect } from './effect-executor.ts'
import { resolveFlowLink } from './resolve-flow-link.ts'
import { createMailSender, type MailSender } from './send-mail.ts'
import { codeOwnerOf, credentialScopeOf, maySendRequests, type TurnOwner } from './turn-owner.ts'

const previewIsOff = 'Requests are not sent from this preview'

/** Performs the effects of one turn within what its owner may do and what one turn may use up. */
export class TurnEffectExecutor implements EffectExecutor {
  readonly #turn: Turn
  readonly #owner: TurnOwner
  readonly #deps: ChatDependencies
  readonly #budget: CallBudget
  #sendMail: MailSender | undefined
  #code: CodeRunner | undefined

  /** `startedAt` is when the turn began, if that was before now. */
  constructor(turn: Turn, owner: TurnOwner, deps: ChatDependencies, startedAt = deps.ports.elapsed()) {
    this.#turn = turn
    this.#owner = owner
    this.#deps = deps
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
    const outcome = await this.#sendToVendor(call)
    if (outcome.kind !== 'no account') this.#deps.metrics.requestDone(outcome)
    return outcome
  }

  signToken({ vendor, credentialsId = `default-${vendor}`, claims }: TokenRequest): TokenOutcome {
    const borrower = credentialScopeOf(this.#turn, this.#owner)
    const token = this.#deps.credentials.vendor(credentialsId, vendor, borrower)?.sign?.(claims)
    return token === undefined ? { kind: 'no account' } : { kind: 'token', token }
  }

  get #outOfCalls(): string {
    return `The turn has made all the outgoing calls that it may (${this.#deps.limits.callsPerTurn})`
  }

  get #outOfTime(): string {
    return `The turn has no time left (${this.#deps.limits.wholeTurnMs} ms)`
  }

  #sendToVendor(call: VendorCall): Promise<VendorOutcome> | VendorOutcome {
    if (!maySendRequests(this.#owner, this.#deps)) return { kind: 'off', reason: previewIsOff }
    const { resultId = this.#owner.sessionId } = rootFrameOf(this.#turn.conversation)
    const send = (request: OutgoingRequest) =>
      this.#send(request, { signal: this.#deps.closing, isTrusted: true })
    const borrower = credentialScopeOf(this.#turn, this.#owner)
    return callVendor(call, { borrower, visitor: resultId, send }, this.#deps)
  }

  async #send(request: OutgoingRequest, options: OutgoingOptions): Promise<RequestOutcome> {
    if (!maySendRequests(this.#owner, this.#deps)) return { kind: 'off', reason: previewIsOff }
    const timeoutMs = Math.min(request.timeoutMs, this.#budget.leftMs())
    if (timeoutMs <= 0) return { kind: 'timeout' }
    const send = (number: number) =>
      this.#deps.http.send({ ...withCallKey(request, callKey(this.#owner, number)), timeoutMs }, options)
    return (await this.#budget.call(send)) ?? { kind: 'spent', reason: this.#outOfCalls }
  }

  async #post(mail: Mail): Promise<MailOutcome> {
    const { mailer, closing } = this.#deps
    const leftMs = this.#budget.leftMs()
    if (leftMs <= 0) return { kind: 'refused', message: this.#outOfTime }
    const send = (posted: ResolvedMail) =>
      this.#budget.call(() => withTimeLimit(leftMs, closing, (signal) => mailer.send(posted, signal)))
    this.#sendMail ??= createMailSender(this.#turn, this.#deps)
    const borrower = credentialScopeOf(this.#turn, this.#owner)
    return (await this.#sendMail(mail, { borrower, send })) ?? { kind: 'refused', message: this.#outOfCalls }
  }

  async #askModel(completion: CompletionRequest): Promise<CompletionOutcome> {
    if (!maySendRequests(this.#owner, this.#deps)) return { kind: 'failed', message: previewIsOff }
    const timeoutMs = this.#budget.leftMs()
    if (timeoutMs <= 0) return { kind: 'failed', message: this.#outOfTime }
    const borrower = credentialScopeOf(this.#turn, this.#owner)
    const ask = (number: number) =>
      requestCompletion(completion, { borrower, timeoutMs, key: callKey(this.#owner, number) }, this.#deps)
    return (await this.#budget.call(ask)) ?? { kind: 'failed', message: this.#outOfCalls }
  }
}
