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
