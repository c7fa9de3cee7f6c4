import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import type { Json } from '../../support/json.ts'
import { type ProbedService, startProbedService } from '../fuzz/probed-service.ts'
import { soakFlows } from './flows.ts'
import { startVendorServer, type VendorServer } from './vendor-server.ts'

export const adminToken = 'operator-of-the-soak'

/** Of an assistant, and what a messenger proves itself by. */
export const assistantToken = 'assistant-of-the-soak-and-none-else'
export const messengerSecret = 'messenger-of-the-soak'

/** A service that is asked for the same over and over. */
export interface SoakedService extends Pick<ProbedService, 'measure' | 'residentBytes'> {
  /** Where it listens. */
  readonly address: string
  /** Where its flows call vendors. */
  readonly vendors: VendorServer
  /** The body of what comes back; throws for anything but success. A body that is a text is sent as it is. */
  ask(
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Json & { readonly text: string }>
  stop(): Promise<void>
}

const bounds = {
  // Stores that are full soon after a kind of request was warmed up: what grows after that is held beside them.
  MEMORY_MAX_BYTES: 32 * 65_536,
  RATE_LIMIT_MAX: 0,
  // It is kept busy on purpose, on machines that may be busy themselves.
  MAX_EVENT_LOOP_DELAY_MS: 60_000,
}

/** Starts the built service, with a flow for each kind of turn and, where it is set, this memory for its stores. */
export async function startSoakedService(memoryBytes = bounds.MEMORY_MAX_BYTES): Promise<SoakedService> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'))
  const flows = join(folder, 'flows')
  mkdirSync(flows)
  for (const [publicId, flow] of Object.entries(soakFlows())) {
    writeFileSync(join(flows, `${publicId}.json`), JSON.stringify({ ...flow, id: publicId, publicId }))
  }
  const vendors = await startVendorServer()
  const { url } = vendors
  const keys = { secretKey: 'sk_live_1', publicKey: 'pk_live_1', webhookSecret: 'whsec_1' }
  const accounts = join(folder, 'accounts.json')
  writeFileSync(
    accounts,
    JSON.stringify([
      { id: 'table', type: 'nocodb', data: { apiKey: 'key', baseUrl: url } },
      { id: 'assistant', type: 'dify-ai', data: { apiKey: 'key', apiEndpoint: url } },
      { id: 'shop', type: 'stripe', data: { live: keys, baseUrl: url } },
      {
        id: 'bot',
        type: 'telegram',
        data: { botToken: '1:token', secretToken: messengerSecret, baseUrl: url },
      },
    ]),
  )
  const channels = join(folder, 'channels.json')
  writeFileSync(channels, JSON.stringify({ bot: { account: 'bot', flow: 'told' } }))
  const variables = {
    FLOWS_DIR: flows,
    UPLOADS_DIR: join(folder, 'uploads'),
    ADMIN_TOKEN: adminToken,
    ADMIN_TOKENS: `assistant:mcp=${assistantToken}`,
    CHANNELS_FILE: channels,
    COMPAT_API: 'on',
    TRUST_PROXY: '1',
    MAX_CONNECTIONS: '500',
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: `${url}/v1`,
    CREDENTIALS_FILE: accounts,
    OUTBOUND_ALLOW: '127.0.0.1',
    ...Object.fromEntries(Object.entries(bounds).map(([name, value]) => [name, String(value)])),
    MEMORY_MAX_BYTES: String(memoryBytes),
  }
  const service = await startProbedService({ folder: '.', variables }, (code) => {
    throw new Error(`The service ended by itself with ${code}`)
  })
  const pool = new Pool(service.address, { connections: 8 })
  return {
    address: service.address,
    measure: service.measure,
    residentBytes: service.residentBytes,
    vendors,
    async ask(path, body = {}, headers = {}) {
      const response = await pool.request({
        path,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${adminToken}`,
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      const text = await response.body.text()
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text}`)
      return text.startsWith('{') ? { ...JSON.parse(text), text } : { text }
    },
    async stop() {
      await pool.close()
      await service.stop()
      vendors.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
