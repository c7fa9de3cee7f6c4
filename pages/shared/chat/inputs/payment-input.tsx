import { useRef, useState } from 'preact/hooks'
import { spoken, words } from '../../words/speak.ts'
import type { PaymentNews, PaymentRequest } from '../payment-frame-messages.ts'
import type { InputOf, InputProps } from './input-props.ts'

/**
 * What is to be paid, and the form of the provider, in a frame: the policy of its document alone lets the script of the
 * provider in. Whether it is paid is the service's to ask.
 */
export function PaymentInput({ input, onReply }: InputProps<InputOf<'payment input'>>) {
  const { amountLabel, publicKey = '', paymentIntentSecret = '' } = input.runtimeOptions ?? {}
  const { labels, additionalInformation = {} } = input.options ?? {}
  const { description, ...payer } = additionalInformation
  // A dry run asks no provider, so there is no key, and no form that would know the payment.
  const [state, setState] = useState<PaymentNews['kind'] | 'loading' | 'paying'>(
    publicKey === '' ? 'settled' : 'loading',
  )
  const [refusal, setRefusal] = useState('')
  const [height, setHeight] = useState(0)
  const port = useRef<MessagePort>(null)
  const reply = () =>
    onReply({ message: labels?.success ?? 'Success', shown: labels?.success ?? words.value.paid })
  const hear = (news: PaymentNews) => {
    if (news.kind === 'size') return setHeight(news.height)
    setRefusal(news.kind === 'refused' ? news.text : '')
    setState(news.kind)
    if (news.kind === 'paid') reply()
  }
  const open = ({ currentTarget: frame }: { readonly currentTarget: HTMLIFrameElement }) => {
    const channel = new MessageChannel()
    channel.port1.onmessage = ({ data }: MessageEvent<PaymentNews>) => hear(data)
    port.current = channel.port1
    const request: PaymentRequest = {
      kind: 'show',
      publicKey,
      clientSecret: paymentIntentSecret,
      payer,
      language: spoken.value.language,
      ...lookOf(frame),
    }
    frame.contentWindow?.postMessage(request, location.origin, [channel.port2])
  }
  const pay = () => {
    if (state === 'settled') return reply()
    setState('paying')
    port.current?.postMessage({ kind: 'pay' } satisfies PaymentRequest)
  }
  const isFormShown = state !== 'settled' && state !== 'unavailable'
  return (
    <section class="payment" aria-label={words.value.payment}>
      <strong>{amountLabel}</strong>
      {description && <span dir="auto">{description}</span>}
      {isFormShown && (
        <iframe
          src="/payment-frame"
          title={words.value.payment}
          // With an origin, which the script of the provider wants; it can't lead the page away.
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
          allow="payment"
          style={{ height: `${height}px` }}
          onLoad={open}
        />
      )}
      {state !== 'unavailable' && (
        <button
          type="button"
          class="typebot-button"
          disabled={!['ready', 'refused', 'settled'].includes(state)}
          onClick={pay}
        >
          {labels?.button ?? words.value.pay} {amountLabel}
        </button>
      )}
      <p role="alert">{state === 'unavailable' ? words.value.unpayable : refusal}</p>
    </section>
  )
}

/** What the form has to know to look as if it belonged here. */
function lookOf(frame: HTMLElement) {
  const { colorScheme, accentColor } = getComputedStyle(frame)
  const isDark =
    colorScheme === 'dark' || (colorScheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  return { isDark, accent: accentColor }
}
