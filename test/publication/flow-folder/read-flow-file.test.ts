import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readFlowFile } from '../../../src/publication/flow-folder/read-flow-file.ts'

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flow-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'a.json'), '{}')
  return join(folder, 'a.json')
}

describe('reading a flow file', () => {
  it('trusts no signature of a file that was just written: another write may leave it the same', async () => {
    const file = await readFlowFile(makeFile(), undefined)
    expect(file).toMatchObject({ text: '{}', signature: undefined })
  })

  it('does not read a file again that was left alone', async () => {
    const path = makeFile()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_000 })
    onTestFinished(() => void vi.useRealTimers())
    const file = await readFlowFile(path, undefined)
    expect(file?.signature).toBeTypeOf('string')
    expect(await readFlowFile(path, file?.signature)).toBeUndefined()
  })
})
