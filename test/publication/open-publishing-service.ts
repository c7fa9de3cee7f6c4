import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { buildApp } from '../../src/compose/app.ts'
import { composeService } from '../../src/compose/composition-root.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { textInput } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'

/** Asks one thing after another. */
export const asking = (...ids: string[]) =>
  wholeDefinition({ id: 'shop-flow', groups: [{ id: 'g1', blocks: ids.map((id) => textInput(id)) }] })

/** Its second edge leads to no group, which a check finds. */
export const flawed = wholeDefinition({
  id: 'shop-flow',
  groups: [{ id: 'g1', blocks: [{ ...textInput('a'), outgoingEdgeId: 'e9' }] }],
  edges: [{ id: 'e9', from: { blockId: 'a' }, to: { groupId: 'nowhere' } }],
})

/** A service with a data folder and one flow file, whose operators are `admin` and `ann`. */
export async function openService(variables: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'publishing-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const flows = join(folder, 'flows')
  mkdirSync(flows)
  writeFileSync(join(flows, 'file.json'), JSON.stringify(wholeDefinition({ blocks: [textInput('f')] })))
  const given = {
    FLOWS_DIR: flows,
    DATA_DIR: join(folder, 'data'),
    ADMIN_TOKEN: 'adm1n',
    ADMIN_TOKENS: 'ann=4nn',
    // The machine may be busy with other tests.
    MAX_EVENT_LOOP_DELAY_MS: '60000',
    ...variables,
  }
  const setup = await loadConfig(given)
  async function run() {
    const assembly = await composeService(setup, pino({ level: 'silent' }))
    const app = await buildApp(assembly.dependencies)
    let isOpen = true
    const close = async () => {
      if (!isOpen) return
      isOpen = false
      await app.close()
      await assembly.close()
    }
    onTestFinished(close)
    return { app, close }
  }
  let { app, close } = await run()

  type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
  async function ask(method: Method, path: string, payload?: object, headers: Record<string, string> = {}) {
    const authorization = 'Bearer adm1n'
    const response = await app.inject({
      method,
      url: `/v1${path}`,
      headers: { authorization, ...headers },
      ...(payload && { payload }),
    })
    const { statusCode: status, body } = response
    return { status, etag: response.headers['etag'], body: body === '' ? undefined : JSON.parse(body) }
  }
  return {
    ask,
    publish: (definition: object, headers?: Record<string, string>) =>
      ask('PUT', '/flows/shop', definition, headers),
    /** The id of the input that a start waits at. */
    startedAt: async (publicId = 'shop') => {
      const { status, body } = await ask('POST', `/flows/${publicId}/startChat`, {})
      return status === 200 ? { at: body.input.id, sessionId: body.sessionId } : { status }
    },
    /** Where it is reached over the network from now on. */
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    restart: async () => {
      await close()
      ;({ app, close } = await run())
    },
  }
}
