import isURL from 'validator/lib/isURL.js'

const protocols = ['http', 'https']
const remote = { protocols, require_protocol: true }
const local = { ...remote, require_tld: false, host_whitelist: ['localhost'] }

/** Whether a text is the address of a page as people write it, with or without `http://`. */
export function isWebAddress(text: string): boolean {
  return isURL.default(text, { protocols })
}

/** Whether a text is a whole http(s) address; `localhost` is one too, for uploads while developing. */
export function isFullWebAddress(text: string): boolean {
  return isURL.default(text, remote) || isURL.default(text, local)
}
