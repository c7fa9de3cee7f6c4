const inLinks = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:'])

/** The address where a link of a flow may lead; undefined for what would run as a script, or is none. */
export function safeLink(address: string | undefined): string | undefined {
  return addressOf(address, inLinks)
}

const inMedia = new Set(['http:', 'https:', 'blob:'])

/** The address of a picture, a sound or a video; `data:` is fine for pictures, where nothing in it runs. */
export function safeMedia(address: string | undefined, isPicture = false): string | undefined {
  if (isPicture && /^data:image\//i.test(address?.trim() ?? '')) return address?.trim()
  return addressOf(address, inMedia)
}

/** The address of a page in a frame. */
export function safeFrame(address: string | undefined): string | undefined {
  const url = addressOf(address, new Set(['http:', 'https:']))
  // What this service serves would be of our own origin.
  return url !== undefined && new URL(url).origin === location.origin ? undefined : url
}

function addressOf(address: string | undefined, schemes: ReadonlySet<string>): string | undefined {
  const trimmed = address?.trim()
  if (!trimmed) return undefined
  // Authors write links without a scheme.
  const whole = /^(?:[a-z][a-z\d+.-]*:|\/\/|\/|#)/i.test(trimmed) ? trimmed : `https://${trimmed}`
  if (!URL.canParse(whole, location.href)) return undefined
  const { protocol, href } = new URL(whole, location.href)
  return schemes.has(protocol) ? href : undefined
}
