import type { PaymentEvent } from '../../../schemas/webhooks.ts'
import type { Conversation } from '../../engine/model/conversation.ts'
import type { PendingPayment } from '../../engine/model/step.ts'
import { ServiceError } from '../../lib/errors.ts'
import { anonymous } from '../../ports/caller.ts'
import type { OnFlow } from '../../ports/request-log-port.ts'
import { areResultsKept } from '../../results/result-updates.ts'
import type { ResultUpdate } from '../../stores/result-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { announce, resultEvents } from '../outgoing/outgoing-events.ts'
import { commitTurn, enterSession } from '../session/enter-session.ts'
import { openStored, type SessionRequest } from '../session/open-session.ts'
import { serializeConversation } from '../session/serialize-conversation.ts'

interface ConfirmPaymentRequest {
  /** The id of the account at the provider. */
  readonly accountId: string
  /** The header by which the provider is known; undefined when it is missing. */
  readonly signature: string | undefined
  /** The body as it was sent, and what it says. */
  readonly text: string
  readonly event: PaymentEvent
  readonly onFlow?: OnFlow | undefined
}

/**
 * Handles an event of the provider of payments (docs/behaviour/inputs.md, "Payment input"): the answer goes into the
 * result though the visitor has gone, and a reply that comes later is accepted. Nothing of the flow runs. A payment
 * that is known, or that no conversation waits for, changes nothing.
 *
 * Throws BAD_REQUEST for what the provider did not sign, TOO_MANY_REQUESTS and SERVICE_UNAVAILABLE as a continue does.
 */
export async function confirmPayment(request: ConfirmPaymentRequest, deps: ChatDependencies): Promise<void> {
  const { accountId, signature, text, event, onFlow } = request
  const webhook = deps.credentials.webhook(accountId, 'stripe')
  // A missing account, or one without a secret, must look like a wrong signature.
  if (signature === undefined || !webhook?.isSigned({ signature, text }, deps.ports.now())) {
    throw new ServiceError('BAD_REQUEST', 'The signature of the event is missing, wrong or too old')
  }
  const { reference } = event.data.object.metadata ?? {}
  if (event.type !== 'payment_intent.succeeded' || reference === undefined) return
  const sessionId = webhook.open(reference)
  if (sessionId === undefined) return
  const named = { sessionId, origin: undefined, caller: anonymous, onFlow }
  await takePayment(named, event.data.object, deps).catch((error: unknown) => {
    // The visitor has gone on, and so has the payment; the provider would only say it again.
    if (!(error instanceof ServiceError) || error.code !== 'NOT_FOUND') throw error
  })
}

async function takePayment(
  request: SessionRequest,
  intent: PaymentEvent['data']['object'],
  deps: ChatDependencies,
): Promise<void> {
  const { lease, conversation: stored } = await enterSession(request.sessionId, deps)
  try {
    const { conversation } = await openStored(stored, request, deps)
    const { payment, isLive } = conversation
    if (!isLive || !payment || payment.isPaid || !isWhole(payment, intent)) return
    conversation.payment = { ...payment, isPaid: true }
    const session = serializeConversation(conversation, stored.session)
    const results = answersOf(payment, conversation, deps)
    const outgoing = announce(session, resultEvents(results), deps)
    await commitTurn(lease, { session, results, payloads: 'keep', outgoing }, deps)
  } finally {
    await deps.conversations.release(lease)
  }
}

function isWhole(
  { intentId, currency, amount }: PendingPayment,
  { id, status, currency: given, amount_received: received = 0 }: PaymentEvent['data']['object'],
): boolean {
  return id === intentId && status === 'succeeded' && given === currency && received >= amount
}

function answersOf(
  { resultId, blockId, success }: PendingPayment,
  { frames }: Conversation,
  deps: ChatDependencies,
): ResultUpdate[] {
  const owner = frames.find((frame) => frame.resultId === resultId)
  if (resultId === undefined || !owner || !areResultsKept(owner.program, deps)) return []
  const answers = [{ blockId, content: success }]
  return [{ id: resultId, flowId: owner.program.id, now: deps.ports.now(), answers, hasStarted: true }]
}
