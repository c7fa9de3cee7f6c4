import isURL from 'validator/lib/isURL.js'

const protocols = ['http', 'https']
const remote = { protocols, require_protocol: true }
const local = { ...remote, require_tld: false, host_whitelist: ['localhost'] }

/** Whether a text is the address of a page as people write it, with or without `http://`. */
export function isWebAddress(text: string): boolean {
  return isURL.default(text, { protocols })
}

/**
 * Whether a text is a whole http(s) address. `localhost` is one too, for uploads while developing, and so is whatever
 * lies on this service: it may go by a name that only its own network knows.
 */
export function isFullWebAddress(text: string, publicUrl: string | undefined): boolean {
  return isURL.default(text, remote) || isURL.default(text, local) || isWithin(publicUrl, text)
}

function isWithin(publicUrl: string | undefined, text: string): boolean {
  return (
    publicUrl !== undefined && text.startsWith(`${publicUrl}/`) && !/[\s<>]/.test(text) && URL.canParse(text)
  )
}
