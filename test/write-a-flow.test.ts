import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callCommandLine } from './support/call-command-line.ts'

const page = await readFile(join(import.meta.dirname, '../docs/write-a-flow.md'), 'utf8')

const examples = [...page.matchAll(/^## \d+\. (.+?)\n.*?```yaml\n(.*?)```.*?```yaml\n(.*?)```/gms)].map(
  ([, title = '', flow = '', tests = '']) => ({ title, flow, tests }),
)

describe('the examples for who writes a flow', () => {
  it('are ten', () => {
    expect(examples).toHaveLength(10)
  })

  it.each(examples)('have no error and no warning, and tests that pass: $title', async ({ flow, tests }) => {
    const folder = await mkdtemp(join(tmpdir(), 'write-a-flow-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [, id = ''] = /^flow: (.+)$/m.exec(flow) ?? []
    await writeFile(join(folder, `${id}.flow.yaml`), flow)
    await writeFile(join(folder, `${id}.flowtest.yaml`), tests)
    const lint = await callCommandLine(['lint', folder])
    expect(lint.out).toContain('1 file: 0 errors, 0 warnings, ')
    const { out } = await callCommandLine(['test', folder])
    expect(out).toMatch(/[1-9]\d* passed, 0 failed/)
  })
})
