const secretName = /key|token|secret|pass|pwd|auth|bearer|credential|signature|^sig$/i

/** Whether a name says that what it names is a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name)

/** An address for logs: without user and password, and without query values that are named as secrets. */
export function maskUrl(url: string): string {
  const [address = '', ...fragments] = withoutUser(url).split('#')
  const [path, ...queries] = address.split('?')
  const query = queries.join('?').split('&').map(maskParameter).join('&')
  return [queries.length === 0 ? path : `${path}?${query}`, ...fragments].join('#')
}

/** An address that can't be read is not sent either: what looks like a user in it goes all the same. */
function withoutUser(url: string): string {
  if (!URL.canParse(url)) return url.replace(/^[^/?#]*\/\/[^/?#]*@/, '')
  const parsed = new URL(url)
  if (parsed.username === '' && parsed.password === '') return url
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}

function maskParameter(parameter: string): string {
  const [name = '', ...value] = parameter.split('=')
  return value.length > 0 && isSecretName(decoded(name)) ? `${name}=***` : parameter
}

/** Letters only matter, and a name that is encoded wrongly is sent all the same. */
function decoded(name: string): string {
  return name.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

const remedies: ReadonlyMap<number, string> = new Map([
  [400, 'Correct the options of the block, or the account, by what the service says:'],
  [401, 'Renew the key of the account, which the service does not accept:'],
  [402, 'Give the account credit at the service:'],
  [403, 'Give the account the right to do this, or access to what the block names:'],
  [404, 'Correct the ids and names in the options of the block, which the service does not find:'],
  [408, 'Try again later:'],
  [409, 'Try again later:'],
  [413, 'Send less:'],
  [422, 'Correct the options of the block by what the service says:'],
  [429, 'Ask less often, or raise the limits of the account at the service:'],
])

/**
 * The details of a log about a call that a service refused: what its author can do, and what the service said. Services
 * that are called with an account share the meaning of a status, and not the words.
 */
export function detailRefusal(status: number, said: string): string {
  const remedy = remedies.get(status) ?? (status >= 500 ? 'Try again later: the service failed.' : undefined)
  return [remedy, said].filter((line) => line !== undefined && line !== '').join('\n')
}
