import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startServiceProcess } from '../service/service-process.ts'

it('A failure that nobody waits for ends the service', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'threats-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const defect = join(folder, 'defect.mjs')
  writeFileSync(defect, "process.on('SIGURG', () => { Promise.reject(new Error('stray')) })")
  const service = await startServiceProcess({ NODE_OPTIONS: `--import=${pathToFileURL(defect)}` })
  service.signal('SIGURG')
  await vi.waitFor(() => expect(service.output()).toMatch(/"level":[56]0/), { timeout: 20_000 })
  expect((await fetch(`${service.address}/health`)).status).toBe(200)
  expect(await service.stop()).toBe(0)
})
