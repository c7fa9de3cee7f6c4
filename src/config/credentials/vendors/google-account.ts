import { createPrivateKey, createSign } from 'node:crypto'
import type { Static } from '@sinclair/typebox'
import { Type } from '../../../../schemas/type.ts'
import { jsonIn } from '../../../lib/json-bounds.ts'
import type { VendorLogin } from '../../../ports/credentials-port.ts'
import { BaseUrl, Text, Word } from '../account-fields.ts'
import { defineVendor, UnusableAccountError } from './vendor-type.ts'

const tokenAddress = 'https://oauth2.googleapis.com/token'

/** Seconds that a token is asked for: the most that there is. */
const tokenSeconds = 3600

const Key = Type.String({
  pattern: '^-----BEGIN (RSA )?PRIVATE KEY-----\\s[\\s\\S]+-----END (RSA )?PRIVATE KEY-----\\s*$',
  description: 'a private key in PEM format',
})

/** The file of a service account as it is downloaded, or what a person has granted to the operator's own client. */
const GoogleData = Type.Object(
  {
    client_email: Type.Optional(Word),
    private_key: Type.Optional(Key),
    refresh_token: Type.Optional(Word),
    client_id: Type.Optional(Word),
    client_secret: Type.Optional(Word),
    token_uri: Type.Optional(BaseUrl),
    baseUrl: Type.Optional(BaseUrl),
    email: Type.Optional(Word),
    name: Type.Optional(Text),
  },
  // The file holds more than what counts.
  { description: 'an object' },
)

type GoogleData = Static<typeof GoogleData>

interface GoogleApi {
  readonly address: string
  readonly scope: string
  /** Whether the account is a mailbox, which has an address. */
  readonly isMailbox?: boolean
}

/** An account at Google: a service account, or what a person has granted. Throws `UnusableAccountError`. */
export function defineGoogleAccount({ address, scope, isMailbox = false }: GoogleApi) {
  return defineVendor(GoogleData, (data) => {
    const { private_key: key, refresh_token: token, client_secret: secret, email, name } = data
    if (isMailbox && email === undefined) throw new UnusableAccountError('/email', 'is missing')
    const facts = { ...(email !== undefined && { email }), ...(name !== undefined && { name }) }
    return {
      baseUrl: (data.baseUrl ?? address).replace(/\/+$/, ''),
      secrets: [key, token, secret].filter((text) => text !== undefined),
      grant: () => (isMailbox ? { facts } : {}),
      login: key === undefined ? grantedLogin(data) : signedLogin(key, data, scope),
    }
  })
}

function signedLogin(
  pem: string,
  { client_email: issuer, token_uri: uri = tokenAddress }: GoogleData,
  scope: string,
): VendorLogin {
  if (issuer === undefined) throw new UnusableAccountError('/client_email', 'is missing')
  const key = readKey(pem)
  return rememberToken({
    request(now) {
      const iat = Math.floor(now / 1000)
      const claims = { iss: issuer, scope, aud: uri, iat, exp: iat + tokenSeconds }
      const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
      const signature = createSign('RSA-SHA256').update(signed).sign(key, 'base64url')
      return tokenRequest(uri, {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: `${signed}.${signature}`,
      })
    },
  })
}

/** Its own message would show a part of the key. */
function readKey(pem: string) {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new UnusableAccountError('/private_key', 'is no private key that can be read')
  }
}

function grantedLogin({ token_uri: uri = tokenAddress, ...data }: GoogleData): VendorLogin {
  const { refresh_token, client_id, client_secret } = data
  if (refresh_token === undefined || client_id === undefined || client_secret === undefined) {
    const wanted =
      'client_email and private_key of a service account, or refresh_token, client_id and client_secret'
    throw new UnusableAccountError('', `must hold ${wanted}`)
  }
  return rememberToken({
    request: () =>
      tokenRequest(uri, { grant_type: 'refresh_token', refresh_token, client_id, client_secret }),
  })
}

/** A token is fetched anew this long before it ends, so that none ends under way. */
const marginMs = 60_000

function rememberToken({ request }: Pick<VendorLogin, 'request'>): VendorLogin {
  let kept = { token: '', until: 0 }
  return {
    request,
    current: (now) => (now < kept.until ? kept.token : undefined),
    keep(text, now) {
      const read = readToken(text)
      if (read) kept = { token: read.token, until: now + read.lifetimeMs - marginMs }
      return read?.token
    },
  }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function tokenRequest(url: string, fields: Record<string, string>): ReturnType<VendorLogin['request']> {
  return {
    method: 'POST',
    url,
    headers: [['content-type', 'application/x-www-form-urlencoded']],
    body: new URLSearchParams(fields).toString(),
  }
}

/** Characters of an answer that is read as JSON. */
const longestAnswer = 64 * 1024

function readToken(text: string): { token: string; lifetimeMs: number } | undefined {
  if (text.length > longestAnswer) return undefined
  const { access_token: token, expires_in: seconds } = Object(jsonIn(text)) as Record<string, unknown>
  return typeof token === 'string' && typeof seconds === 'number'
    ? { token, lifetimeMs: 1000 * seconds }
    : undefined
}
