import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { bubble, type Json, textInput } from '../fixtures/short-flows.ts'
import { startServiceProcess } from '../service/service-process.ts'
import { wholeDefinition } from '../support/conformance.ts'

it('A failure that nobody waits for ends the service', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'threats-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const flow = wholeDefinition({ blocks: [textInput('i1'), bubble('b1', 'Hi'), textInput('i2')] })
  writeFileSync(join(folder, 'welcome.json'), JSON.stringify(flow))
  const defect = join(folder, 'defect.mjs')
  writeFileSync(defect, "process.on('SIGURG', () => { Promise.reject(new TypeError('stray')) })")
  const service = await startServiceProcess({
    FLOWS_DIR: folder,
    NODE_OPTIONS: `--import=${pathToFileURL(defect)}`,
  })
  const post = async (path: string, body: Json): Promise<Json> => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await (await fetch(service.address + path, init)).json()) as Json
  }
  const { sessionId } = await post('/v1/flows/welcome/startChat', {})
  for (const count of [1, 2]) {
    service.signal('SIGURG')
    const failures = () => service.output().match(/"level":[56]0/g) ?? []
    await vi.waitFor(() => expect(failures().length).toBe(count), { timeout: 20_000 })
  }
  expect(service.output()).not.toContain('stray')
  const { messages } = await post(`/v1/sessions/${sessionId}/continueChat`, { message: 'Ada' })
  expect(messages).toMatchObject([{ id: 'b1' }])
  expect(await service.stop()).toBe(0)
})
