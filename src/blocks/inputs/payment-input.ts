import { PaymentInput, PaymentInputBlock } from '../../../schemas/blocks/inputs/files-and-payments.ts'
import { type CompileContext, defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { PendingPayment, Reply, ReplyResult, Step } from '../../engine/model/step.ts'
import { JsonFragment } from '../../engine/templates/json-fragment.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { reportProblem } from '../vendors/lib/ask-vendor.ts'
import { compileRenderedInput, type RenderedInput, renderInput, writtenText } from './lib/render-input.ts'
import { compileRetryMessage, refuse, renderRetryMessage } from './lib/reply-result.ts'
import { checkPayment, openPayment, type PaymentAmount, readAmount } from './payment/payment-intent.ts'

interface Payment extends RenderedInput {
  readonly credentialsId: string | undefined
  readonly amount: TextTemplate
  readonly currency: TextTemplate
  readonly description: TextTemplate
  readonly receiptEmail: TextTemplate
  readonly success: TextTemplate
  readonly acceptProcessing: boolean
  readonly retryMessage: TextTemplate | undefined
}

/** Asks for a payment, and goes on once its provider has confirmed it (docs/behaviour/inputs.md, "Payment input"). */
export const paymentInput = defineBlock<PaymentInputBlock, Payment | undefined>({
  schema: PaymentInputBlock,
  kind: 'input',
  inputName: 'payment',
  compile: (block, context) => (block.options ? compile(block, context) : undefined),
  run: (payment, context) => (payment ? askForPayment(payment, context) : { logs: [notConfigured] }),
  reply: (payment, reply, context) =>
    payment ? judge(payment, reply, context) : refuse('the payment is not set up'),
  retryMessage: (payment, context) => renderRetryMessage(payment?.retryMessage, context),
  defaultRetryMessage: 'payment',
  answerVariableId: (payment) => payment?.variableId,
  isPassThrough: ({ options }) => !options,
  marks: { usualAnswers: ['Success'] },
})

const notConfigured = reportProblem('payment input is not configured')

const paymentContext = 'payment input'

function compile(block: PaymentInputBlock, context: CompileContext): Payment {
  const { options = {} } = block
  const { credentialsId, amount, currency = 'USD', labels, additionalInformation } = options
  return {
    ...compileRenderedInput(block, PaymentInput, context),
    credentialsId,
    amount: writtenText(amount, context),
    currency: writtenText(currency, context),
    description: writtenText(additionalInformation?.description, context),
    receiptEmail: writtenText(additionalInformation?.email, context),
    success: writtenText(labels?.success, context),
    acceptProcessing: options.acceptProcessing === true,
    retryMessage: compileRetryMessage(options, context),
  }
}

function* askForPayment(payment: Payment, context: RunContext): Effects<Step> {
  const text = context.text(payment.amount)
  const currency = context.text(payment.currency)
  const amount = readAmount(text, currency)
  if (!amount) return unpayable(reportProblem(`The amount "${text}" of ${currency} can not be paid`), context)
  const pending = context.payment
  const opened = isFor(pending, amount)
    ? { payment: pending }
    : yield* openPayment(
        {
          credentialsId: payment.credentialsId,
          amount,
          description: context.text(payment.description),
          receiptEmail: context.text(payment.receiptEmail).trim(),
          success: answerTo(payment, context),
        },
        pending,
        context,
      )
  return 'log' in opened
    ? unpayable(opened.log, context)
    : showPayment(payment, { ...opened, amount }, context)
}

function isFor(
  pending: PendingPayment | undefined,
  { minor, currency }: PaymentAmount,
): pending is PendingPayment {
  return pending?.amount === minor && pending.currency === currency
}

/**
 * A live conversation ends here: the rest is for visitors who have paid. A preview gives nothing away. Clients know by the
 * context of the log why it ends.
 */
function unpayable(log: NonNullable<Step['logs']>[number], { isLive }: RunContext): Step {
  return { logs: [{ ...log, context: paymentContext }], ...(isLive && { next: { to: 'end' } }) }
}

function showPayment(
  shown: Payment,
  { payment, amount }: { readonly payment: PendingPayment; readonly amount: PaymentAmount },
  context: RunContext,
): Step {
  const { input, ...step } = renderInput(shown, context)
  const { clientSecret: paymentIntentSecret, publicKey } = payment
  const runtimeOptions = { paymentIntentSecret, amountLabel: amount.label, publicKey }
  return {
    ...step,
    ...(input && { input: new JsonFragment({ ...input.value, runtimeOptions } as typeof input.value) }),
    payment,
  }
}

/** Only the provider's answer counts: a client can send any text. */
function* judge(payment: Payment, reply: Reply | undefined, context: RunContext): Effects<ReplyResult> {
  const pending = context.payment
  if (!reply || !pending) return refuse('no payment was made')
  const { state, ...checked } = yield* checkPayment(pending, payment, context)
  if ('log' in checked) context.log(checked.log)
  if (state === 'processing' && payment.acceptProcessing)
    context.log({ status: 'info', context: paymentContext, description: 'The payment is being processed' })
  const isAccepted = state === 'paid' || (state === 'processing' && payment.acceptProcessing)
  return isAccepted
    ? { outcome: 'accepted', content: answerTo(payment, context) }
    : refuse(`the provider says that it is ${state}`)
}

const answerTo = ({ success }: Payment, context: RunContext) => context.text(success) || 'Success'
