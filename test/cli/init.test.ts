import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { callCommandLine } from '../support/call-command-line.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'init-'))
  onTestFinished(() => rm(folder, { recursive: true }))
})

describe('init', () => {
  it('makes a flow without a finding, tests that pass, and says what comes next', async () => {
    const { code, out } = await callCommandLine(['init', '--no-install', folder])
    expect(code).toBe(0)
    expect(out).toContain(`  cd ${folder}\n  npm install\n  npx flow-runtime test\n  npx flow-runtime dev\n`)
    const lint = await callCommandLine(['lint', join(folder, 'flows')])
    expect(lint.out).toBe('1 file: 0 errors, 0 warnings, 0 infos\n')
    const test = await callCommandLine(['test', join(folder, 'flows')])
    expect(test.out).toContain('3 passed, 0 failed')
    const { devDependencies, type } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    expect(type).toBe('module')
    expect(devDependencies).toEqual({ 'flow-runtime': `file:${join(import.meta.dirname, '../..')}` })
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toContain('node_modules/')
  })

  it('leaves what is there as it is, and a project of another kind to its owner', async () => {
    await writeFile(join(folder, 'package.json'), '{"name": "mine"}')
    await writeFile(join(folder, 'README.md'), 'mine')
    const { code, out } = await callCommandLine(['init', folder])
    expect(code).toBe(0)
    expect(out).toContain(`kept  ${join(folder, 'package.json')}`)
    expect(out).toContain('npm install --save-dev flow-runtime@')
    expect(await readFile(join(folder, 'package.json'), 'utf8')).toBe('{"name": "mine"}')
    expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe('mine')
    const again = await callCommandLine(['init', folder])
    expect(again.out).not.toContain('made')
  })

  it('makes one folder only', async () => {
    expect((await callCommandLine(['init', 'a', 'b'])).code).toBe(2)
  })
})

it('dev refuses a folder without flows, and names the way to one', async () => {
  const { code, err } = await callCommandLine(['dev', folder])
  expect(code).toBe(2)
  expect(err).toContain(
    `There is no *.json or *.flow.yaml in ${folder}. flow-runtime init makes a folder with a first flow.`,
  )
})
