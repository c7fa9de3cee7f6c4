import type { InputOf, InputProps } from './input-props.ts'

/** What is to be paid. The form is the provider's, and is not loaded here; the service asks the provider itself. */
export function PaymentInput({ input, onReply }: InputProps<InputOf<'payment input'>>) {
  const { amountLabel, publicKey, paymentIntentSecret } = input.runtimeOptions ?? {}
  const { labels, additionalInformation, provider = 'Stripe' } = input.options ?? {}
  const { description, name, email, phoneNumber } = additionalInformation ?? {}
  const given = [
    ['Public key', publicKey],
    ['Secret of the payment', paymentIntentSecret],
    ['Name', name],
    ['Email address', email],
    ['Phone number', phoneNumber],
  ].filter(([, value]) => value)
  return (
    <section class="payment" aria-label="Payment">
      <strong>{amountLabel ?? 'A payment'}</strong>
      {description && <span>{description}</span>}
      <p class="note">
        This page does not load the form of {provider}
        {given.length > 0 ? '. It would be given:' : '.'}
      </p>
      {given.length > 0 && (
        <dl>
          {given.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <button type="button" onClick={() => onReply({ message: labels?.success ?? 'Success', shown: 'Paid' })}>
        {labels?.button ?? 'I have paid'}
      </button>
    </section>
  )
}
