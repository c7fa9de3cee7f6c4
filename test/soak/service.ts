import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { type BuiltService, startBuiltService } from '../fuzz/built-service.ts'
import type { Json } from '../support/json.ts'
import { soakFlows } from './flows.ts'
import { startModelServer } from './model-server.ts'

export const adminToken = 'operator-of-the-soak'

/** A service that is asked for the same over and over. */
export interface SoakedService extends Pick<BuiltService, 'measure' | 'residentBytes'> {
  /** The body of what comes back; throws for anything but success, or the status that is expected. */
  ask(path: string, body?: unknown, expected?: number): Promise<Json & { readonly text: string }>
  stop(): Promise<void>
}

/** Stores that are full once a kind of request was warmed up: what grows after that is held beside them. */
const bounds = {
  SESSION_MAX_BYTES: 262_144,
  PREVIEW_SESSION_MAX_BYTES: 262_144,
  RESULT_MAX_BYTES: 262_144,
  DEFINITION_MAX_BYTES: 262_144,
  IDEMPOTENCY_MAX_BYTES: 262_144,
  DRAFT_MAX_BYTES: 4 * 1024 * 1024,
  RATE_LIMIT_MAX: 0,
  // It is kept busy on purpose, on machines that may be busy themselves.
  MAX_EVENT_LOOP_DELAY_MS: 60_000,
}

/** Starts the built service, with a flow for each kind of turn. */
export async function startSoakedService(): Promise<SoakedService> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'))
  const flows = join(folder, 'flows')
  mkdirSync(flows)
  for (const [publicId, flow] of Object.entries(soakFlows())) {
    writeFileSync(join(flows, `${publicId}.json`), JSON.stringify({ ...flow, id: publicId, publicId }))
  }
  const model = await startModelServer()
  const variables = {
    FLOWS_DIR: flows,
    UPLOADS_DIR: join(folder, 'uploads'),
    ADMIN_TOKEN: adminToken,
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: `${model.url}/v1`,
    OUTBOUND_ALLOW: '127.0.0.1',
    ...Object.fromEntries(Object.entries(bounds).map(([name, value]) => [name, String(value)])),
  }
  const service = await startBuiltService({ folder: '.', variables }, (code) => {
    throw new Error(`The service ended by itself with ${code}`)
  })
  const pool = new Pool(service.address, { connections: 8 })
  return {
    measure: service.measure,
    residentBytes: service.residentBytes,
    async ask(path, body = {}, expected = 200) {
      const response = await pool.request({
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
        body: JSON.stringify(body),
      })
      const text = await response.body.text()
      if (response.statusCode !== expected) throw new Error(`${path}: ${response.statusCode} ${text}`)
      return text.startsWith('{') ? { ...JSON.parse(text), text } : { text }
    },
    async stop() {
      await pool.close()
      await service.stop()
      model.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
