import { currentFrameOf, rootFrameOf } from '../../engine/model/conversation.ts'
import type {
  CodeJob,
  CodeResult,
  CompletionOutcome,
  CompletionRequest,
  Mail,
  MailOutcome,
  OutgoingRequest,
  RequestOutcome,
} from '../../engine/model/effect-payloads.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { CodeOwner, CredentialScope, ResolvedMail } from '../../ports.ts'
import type { Lease } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { untilAborted, withTimeLimit } from '../turn/abort.ts'
import { CallBudget } from '../turn/call-budget.ts'
import { requestCompletion } from './chat-completion-client.ts'
import { createSandboxFetch } from './sandbox-fetch.ts'
import { createMailSender } from './send-mail.ts'

/** What a turn can do outside of the service. */
export interface ExternalEffects {
  evaluate(job: CodeJob): Promise<CodeResult>
  request(request: OutgoingRequest): Promise<RequestOutcome>
  mail(mail: Mail): Promise<MailOutcome>
  complete(completion: CompletionRequest): Promise<CompletionOutcome>
}

/** Whose turn it is, as far as that decides what it may do. */
export interface TurnOwner {
  readonly kind: 'live' | 'preview'
  /** A preview started with the token of the operator. */
  readonly isTrusted?: boolean | undefined
  readonly sessionId: string
  /** Absent where nobody else can be in the session. */
  readonly lease?: Lease | undefined
  /** Whether the conversation was started before. */
  readonly isUnderWay?: boolean
}

const previewIsOff = 'Requests are not sent from this preview'
const outOfCalls = ({ limits }: ChatDependencies) =>
  `The turn has made all the outgoing calls that it may (${limits.callsPerTurn})`
const outOfTime = ({ limits }: ChatDependencies) => `The turn has no time left (${limits.wholeTurnMs} ms)`
/** What code throws may quote what other systems answered, which is not for visitors. */
const failedAfterAsking = 'The code failed after it had asked another system'

/** Opens the outside to one turn, within what its owner may do and what one turn may use up. */
export function createExternalEffects(
  turn: Turn,
  owner: TurnOwner,
  deps: ChatDependencies,
  budget = new CallBudget(deps, owner.lease),
): ExternalEffects {
  const { requestDone, mailDone, questionDone } = deps.metrics
  const request = sendsRequests(owner, budget, deps)
  const mail = sendsMails(turn, budget, { owner, chat: deps })
  const complete = asksModels(turn, budget, { owner, chat: deps })
  return {
    request: (wanted) => recordOutcome(request(wanted), requestDone),
    evaluate: runsCode(turn, request, { owner, budget, chat: deps }),
    mail: (wanted) => recordOutcome(mail(wanted), mailDone),
    complete: (wanted) => recordOutcome(complete(wanted), questionDone),
  }
}

/** Tells the operator what becomes of something. */
export async function recordOutcome<Outcome>(
  work: Promise<Outcome>,
  count: (outcome: Outcome) => void,
): Promise<Outcome> {
  const outcome = await work
  count(outcome)
  return outcome
}

type SendRequest = (request: OutgoingRequest, ended?: AbortSignal) => Promise<RequestOutcome>

function sendsRequests(owner: TurnOwner, budget: CallBudget, deps: ChatDependencies): SendRequest {
  const maySend = maySendRequests(owner, deps)
  return async (request, ended) => {
    if (!maySend) return { kind: 'off', reason: previewIsOff }
    const timeoutMs = Math.min(request.timeoutMs, budget.leftMs())
    if (timeoutMs <= 0) return { kind: 'timeout' }
    const send = () => deps.http.send({ ...request, timeoutMs }, { signal: ended ?? deps.closing })
    const outcome = await budget.call(send)
    return outcome ?? { kind: 'spent', reason: outOfCalls(deps) }
  }
}

function runsCode(
  turn: Turn,
  request: SendRequest,
  { owner, budget, chat }: Terms & { readonly budget: CallBudget },
): ExternalEffects['evaluate'] {
  const { limits, sandbox, closing, metrics } = chat
  const cutOff = (message: string): CodeResult => ({ ok: false, message, reason: 'limit' })
  let usedMs = 0
  return async (job) => {
    if (usedMs > limits.codeTurnMs) {
      metrics.limitReached('codeTurnMs')
      return cutOff(`Code may run for ${limits.codeTurnMs} ms in one turn`)
    }
    if (budget.leftMs() <= 0) return cutOff(outOfTime(chat))
    const ended = new AbortController()
    let hasAsked = false
    const fetchText = createSandboxFetch((wanted) => {
      hasAsked = true
      return recordOutcome(request(wanted, ended.signal), metrics.requestDone)
    })
    const terms = { owner: codeOwnerOf(turn, owner), limitMs: limits.codeMs, fetch: fetchText }
    const result = await withSignalOf(closing, ended, () => untilAborted(sandbox.run(job, terms), closing))
    budget.refuseWhenClosing()
    usedMs += result?.ranMs ?? 0
    if (!result || result.ok || !hasAsked || owner.kind !== 'live') return result ?? cutOff(outOfTime(chat))
    return { ...result, message: failedAfterAsking }
  }
}

/**
 * Does work whose requests end with it, as nobody waits for what code has not waited for, or with the service. Nothing
 * is left behind on the signal of the service, which lives as long as the process.
 */
async function withSignalOf<T>(
  closing: AbortSignal,
  ended: AbortController,
  work: () => Promise<T>,
): Promise<T> {
  const end = () => ended.abort()
  closing.addEventListener('abort', end)
  try {
    return await work()
  } finally {
    closing.removeEventListener('abort', end)
    ended.abort()
  }
}

interface Terms {
  readonly owner: TurnOwner
  readonly chat: ChatDependencies
}

function sendsMails(turn: Turn, budget: CallBudget, { owner, chat }: Terms): ExternalEffects['mail'] {
  const post = createMailSender(turn, chat)
  return async (mail) => {
    const leftMs = budget.leftMs()
    if (leftMs <= 0) return { kind: 'refused', message: outOfTime(chat) }
    const borrower = credentialScopeOf(turn, owner)
    const send = (posted: ResolvedMail) => {
      const make = (signal: AbortSignal) => chat.mailer.send(posted, signal)
      return budget.call(() => withTimeLimit(leftMs, chat.closing, make))
    }
    return (await post(mail, { borrower, send })) ?? { kind: 'refused', message: outOfCalls(chat) }
  }
}

function asksModels(turn: Turn, budget: CallBudget, { owner, chat }: Terms): ExternalEffects['complete'] {
  const maySend = maySendRequests(owner, chat)
  return async (completion) => {
    if (!maySend) return { kind: 'failed', message: previewIsOff }
    const timeoutMs = budget.leftMs()
    if (timeoutMs <= 0) return { kind: 'failed', message: outOfTime(chat) }
    const borrower = credentialScopeOf(turn, owner)
    const outcome = await budget.call(() => requestCompletion(completion, { borrower, timeoutMs }, chat))
    return outcome ?? { kind: 'failed', message: outOfCalls(chat) }
  }
}

/** Code of a conversation counts as that of the flow that was started, wherever links have led. */
function codeOwnerOf({ conversation }: Turn, { kind, sessionId }: TurnOwner): CodeOwner {
  return { kind, id: kind === 'live' ? rootFrameOf(conversation).program.id : sessionId }
}

/** The flow that is being walked borrows. A preview is trusted as far as its token goes, and not for its names. */
export function credentialScopeOf(
  { conversation }: Pick<Turn, 'conversation'>,
  owner: TurnOwner,
): CredentialScope {
  const { id, workspaceId } = currentFrameOf(conversation).program
  if (owner.kind === 'live') return { flowId: id, workspaceId, kind: 'live' }
  const kind = owner.isTrusted ? 'trusted preview' : 'preview'
  return { flowId: undefined, workspaceId: undefined, kind }
}

/** Whether a turn of this owner sends requests at all, to models too (docs/behaviour/integrations.md, "Previews"). */
export function maySendRequests(
  { kind, isTrusted }: Pick<TurnOwner, 'kind' | 'isTrusted'>,
  { previewHttp }: Pick<ChatDependencies, 'previewHttp'>,
): boolean {
  return kind === 'live' || previewHttp === 'on' || (previewHttp === 'auto' && isTrusted === true)
}
