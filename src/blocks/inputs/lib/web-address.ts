import isURL from 'validator/lib/isURL.js'

const protocols = ['http', 'https']
const remote = { protocols, require_protocol: true }
const local = { ...remote, require_tld: false, host_whitelist: ['localhost'] }

/** A scheme that lacks its slashes: taken for a host with a port, or for the name of a user. */
const schemeAlone = /^https?:(?!\/\/)/i

/** Whether a text is the address of a page as people write it, with or without `http://`. */
export function isWebAddress(text: string): boolean {
  return isURL.default(text, { protocols }) && !schemeAlone.test(text)
}

/** Path of an upload on this service, behind any prefix. */
const upload = /\/uploads\/(?:private\/)?(?:preview-)?[\da-f]{32}\/[\w-]{1,64}\.[\da-z]{1,4}$/

/**
 * Whether a text is a whole http(s) address. `localhost` is one too, for uploads while developing. So is every address
 * on this service, or of the form of uploads: its host name may be known to its own network only.
 */
export function isFullWebAddress(text: string, publicUrl: string | undefined): boolean {
  if (isURL.default(text, remote) || isURL.default(text, local)) return true
  const isOurs = upload.test(text) || (publicUrl !== undefined && text.startsWith(`${publicUrl}/`))
  return isOurs && isPlainAddress(text)
}

function isPlainAddress(text: string): boolean {
  return /^https?:\/\/[^\s<>/?#@]+\/[^\s<>]*$/.test(text) && URL.canParse(text)
}
