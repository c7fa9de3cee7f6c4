import type { PaymentNews, PaymentRequest } from '../shared/chat/payment-frame-messages.ts'

/** As much of the provider's script as is used here (https://docs.stripe.com/js). */
type StripeFactory = (publicKey: string) => {
  elements(options: object): StripeElements
  confirmPayment(options: object): Promise<{ readonly error?: { readonly message?: string } }>
  retrievePaymentIntent(
    clientSecret: string,
  ): Promise<{ readonly paymentIntent?: { readonly status: string } }>
}

interface StripeElements {
  create(type: 'payment', options: object): StripeElement
}

interface StripeElement {
  mount(place: HTMLElement): void
  on(event: 'ready' | 'loaderror', listen: () => void): void
}

/** The page that shows this frame opens it with a port; nobody else is listened to. */
addEventListener('message', ({ origin, source, data, ports: [port] }: MessageEvent<PaymentRequest>) => {
  if (origin !== location.origin || source !== parent || !port || data.kind !== 'show') return
  const tell = (news: PaymentNews) => port.postMessage(news)
  show(data, port, tell).catch(() => tell({ kind: 'unavailable' }))
})

async function show(
  { publicKey, clientSecret, payer, language, isDark, accent }: PaymentRequest & { kind: 'show' },
  port: MessagePort,
  tell: (news: PaymentNews) => void,
): Promise<void> {
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  document.body.style.margin = '0'
  const provider = (await loadProvider())(publicKey)
  const { paymentIntent } = await provider.retrievePaymentIntent(clientSecret)
  if (paymentIntent?.status === 'succeeded' || paymentIntent?.status === 'processing') {
    // Where a bank was asked, the provider leads back here.
    return tell({ kind: location.search.includes('redirect_status=') ? 'paid' : 'settled' })
  }
  const { name, email, phoneNumber: phone, address } = payer
  const { postalCode: postal_code, ...place } = address ?? {}
  const billing_details = { name, email, phone, ...(address && { address: { ...place, postal_code } }) }
  const elements = provider.elements({
    clientSecret,
    locale: language,
    appearance: { theme: isDark ? 'night' : 'stripe', variables: { colorPrimary: accent } },
  })
  const element = elements.create('payment', { defaultValues: { billingDetails: billing_details } })
  element.on('ready', () => tell({ kind: 'ready' }))
  element.on('loaderror', () => tell({ kind: 'unavailable' }))
  element.mount(document.body)
  new ResizeObserver(() => tell({ kind: 'size', height: document.body.offsetHeight })).observe(document.body)
  const pay = async (): Promise<PaymentNews> => {
    const { error } = await provider.confirmPayment({
      elements,
      redirect: 'if_required',
      confirmParams: {
        return_url: location.origin + location.pathname,
        payment_method_data: { billing_details },
      },
    })
    return error ? { kind: 'refused', text: error.message ?? '' } : { kind: 'paid' }
  }
  port.onmessage = ({ data }: MessageEvent<PaymentRequest>) => {
    if (data.kind === 'pay')
      void pay()
        .catch((): PaymentNews => ({ kind: 'unavailable' }))
        .then(tell)
  }
}

/** The provider wants its script from its own address alone. */
function loadProvider(): Promise<StripeFactory> {
  const script = document.createElement('script')
  script.src = 'https://js.stripe.com/v3/'
  document.head.append(script)
  return new Promise((resolve, reject) => {
    script.onload = () => resolve((globalThis as unknown as { Stripe: StripeFactory }).Stripe)
    script.onerror = reject
  })
}
