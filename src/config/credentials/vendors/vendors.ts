import { Type } from '../../../../schemas/type.ts'
import { BaseUrl, closed, HeaderName, Word } from '../account-fields.ts'
import { defineGoogleAccount } from './google-account.ts'
import { stripe } from './stripe-account.ts'
import { defineVendor, keyInHeader, type VendorType } from './vendor-type.ts'
import { zendeskAccount } from './zendesk-account.ts'

/** A key, and the address where the operator runs the service or something in its place. */
const KeyData = Type.Object({ apiKey: Word, baseUrl: Type.Optional(BaseUrl) }, closed)

const keyed = (header: string, address: string, prefix?: string) =>
  defineVendor(KeyData, ({ apiKey, baseUrl = address }) => keyInHeader(header, { apiKey, baseUrl }, prefix))

const dify = defineVendor(
  Type.Object(
    {
      apiKey: Type.Optional(Word),
      knowledgeApiKey: Type.Optional(Word),
      apiEndpoint: Type.Optional(BaseUrl),
    },
    closed,
  ),
  ({ apiKey, knowledgeApiKey, apiEndpoint = 'https://api.dify.ai' }) => ({
    baseUrl: new URL(apiEndpoint).origin,
    secrets: [apiKey, knowledgeApiKey].filter((key) => key !== undefined),
    grant(purpose) {
      const key = purpose === 'knowledge' ? knowledgeApiKey : apiKey
      return key === undefined ? undefined : { headers: [['authorization', `Bearer ${key}`]] }
    },
  }),
)

const segment = defineVendor(KeyData, ({ apiKey, baseUrl = 'https://api.segment.io' }) => {
  const login = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    secrets: [apiKey, login],
    grant: () => ({ headers: [['authorization', login]] }),
  }
})

const posthog = defineVendor(
  Type.Object({ apiKey: Word, host: Type.Optional(BaseUrl) }, closed),
  ({ apiKey, host = 'https://us.i.posthog.com' }) => ({
    baseUrl: host.replace(/\/+$/, ''),
    secrets: [apiKey],
    grant: () => ({ json: { api_key: apiKey } }),
  }),
)

/** A server of tools; an older one takes each request by itself too, where it keeps no sessions. */
const mcp = defineVendor(
  Type.Object(
    {
      url: BaseUrl,
      token: Type.Optional(Word),
      protocol: Type.Optional(
        Type.Unsafe<'2026-07-28' | '2025-11-25' | '2025-06-18'>({
          enum: ['2026-07-28', '2025-11-25', '2025-06-18'],
          description: 'one of: 2026-07-28, 2025-11-25, 2025-06-18',
        }),
      ),
    },
    closed,
  ),
  ({ url, token, protocol = '2026-07-28' }) => ({
    baseUrl: url,
    secrets: token === undefined ? [] : [token],
    grant: () => ({
      headers: [
        ['mcp-protocol-version', protocol],
        ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
      ],
    }),
  }),
)

/** A service that own blocks call (docs/own-blocks.md). */
const http = defineVendor(
  Type.Object({ baseUrl: BaseUrl, apiKey: Type.Optional(Word), header: Type.Optional(HeaderName) }, closed),
  ({ baseUrl, apiKey, header }) => {
    if (apiKey === undefined)
      return { baseUrl: baseUrl.replace(/\/+$/, ''), secrets: [], grant: () => ({ headers: [] }) }
    return keyInHeader(header ?? 'authorization', { apiKey, baseUrl }, header === undefined ? 'Bearer ' : '')
  },
)

/** The vendors whose services blocks call, by the type that blocks and accounts have. */
export const vendors: ReadonlyMap<string, VendorType> = new Map([
  ['http', http],
  ['blink', keyed('authorization', 'https://api.joinblink.com/v2', 'Bearer ')],
  ['chat-node', keyed('authorization', 'https://api.public.chatnode.ai/v1', 'Bearer ')],
  ['dify-ai', dify],
  ['elevenlabs', keyed('xi-api-key', 'https://api.elevenlabs.io')],
  [
    'gmail',
    defineGoogleAccount({
      address: 'https://gmail.googleapis.com',
      scope: 'https://www.googleapis.com/auth/gmail.modify',
      isMailbox: true,
    }),
  ],
  [
    'google sheets',
    defineGoogleAccount({
      address: 'https://sheets.googleapis.com',
      scope: 'https://www.googleapis.com/auth/spreadsheets',
    }),
  ],
  ['mcp', mcp],
  ['nocodb', keyed('xc-token', 'https://app.nocodb.com')],
  ['posthog', posthog],
  ['segment', segment],
  ['stripe', stripe],
  ['zendesk', zendeskAccount],
])
