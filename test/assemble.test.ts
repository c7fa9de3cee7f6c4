import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { assemble } from '../src/assemble.ts'
import { buildServer } from '../src/server.ts'
import { readSetup } from '../src/setup.ts'
import { bubble, textInput } from './fixtures/short-flows.ts'
import { wholeDefinition } from './support/conformance.ts'

const definition = wholeDefinition({ blocks: [bubble('b1'), bubble('b2'), textInput('b3')] })

/** The whole service as it is configured, without a process around it. */
async function open(variables: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'service-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const flows = join(folder, 'flows')
  mkdirSync(flows)
  writeFileSync(join(flows, 'welcome.json'), JSON.stringify(definition))
  const setup = await readSetup({ FLOWS_DIR: flows, UPLOADS_DIR: join(folder, 'uploads'), ...variables })
  const assembly = await assemble(setup, pino({ level: 'silent' }))
  const app = await buildServer(assembly.dependencies)
  onTestFinished(async () => {
    await app.close()
    await assembly.close()
  })
  return { folder, app }
}

describe('the assembled service', () => {
  it('is ready, until something that it needs is away, and names it', async () => {
    const { folder, app } = await open()
    expect((await app.inject('/ready')).json()).toEqual({ status: 'ready' })
    rmSync(join(folder, 'uploads'), { recursive: true })
    writeFileSync(join(folder, 'uploads'), '')
    const response = await app.inject('/ready')
    expect(response.statusCode).toBe(503)
    expect(response.json().message).toBe('No uploads can be kept')
  })

  it('is not ready when there is no folder to read flows from', async () => {
    const { app } = await open({ FLOWS_DIR: '/no/such/folder' })
    const response = await app.inject('/ready')
    expect(response.statusCode).toBe(503)
    expect(response.json().message).toBe('The folder of the flows does not exist')
  })

  it('is not ready while it has too much to do either, and names everything that speaks against it', async () => {
    const { app } = await open({ FLOWS_DIR: '/no/such/folder', MAX_HEAP_USED_BYTES: '1' })
    const response = await app.inject('/ready')
    expect(response.statusCode).toBe(503)
    expect(response.json().message).toMatch(
      /^The folder of the flows does not exist; The heap holds \d+ bytes, more than 1$/,
    )
  })
})
