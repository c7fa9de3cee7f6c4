import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adminToken, assistantToken, messengerAccounts } from './arbitraries/call-parts.ts'
import { publishedFlows } from './published.ts'

const mebibyte = 1024 * 1024

/** What a service is started with to be tried, and how to clean up afterwards. */
export interface Setting {
  readonly variables: Record<string, string>
  remove(): void
}

/** Writes the flows that are to be published into a fresh folder. */
export function makeSetting(): Setting {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  const flows = join(folder, 'flows')
  mkdirSync(flows)
  for (const [name, definition] of Object.entries(publishedFlows)) {
    writeFileSync(join(flows, `${name}.json`), JSON.stringify({ ...definition, publicId: name }))
  }
  const fileOf = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content), { mode: 0o600 })
    return join(folder, name)
  }
  const accounts = Object.entries(messengerAccounts)
  const numbers = {
    // Little, so that the stores are full soon.
    MEMORY_MAX_BYTES: 14 * mebibyte,
    RATE_LIMIT_MAX: 0,
    WEBHOOK_WAIT_SECONDS: 0,
    UPLOAD_MAX_BYTES: 10_000,
    UPLOADS_MAX_BYTES: mebibyte,
    // A turn that means harm is to be over soon, as there are many of them.
    MAX_TURN_CPU_MS: 600,
    MAX_TURN_MS: 5_000,
  }
  return {
    variables: {
      FLOWS_DIR: flows,
      UPLOADS_DIR: join(folder, 'uploads'),
      ADMIN_TOKEN: adminToken,
      ADMIN_TOKENS: `assistant:mcp=${assistantToken}`,
      CREDENTIALS_FILE: fileOf(
        'accounts.json',
        accounts.map(([type, data]) => ({ id: type, type, data })),
      ),
      CHANNELS_FILE: fileOf(
        'channels.json',
        Object.fromEntries(accounts.map(([type]) => [type, { account: type, flow: 'every-input' }])),
      ),
      PREVIEW_HTTP: 'off',
      ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
