import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const run = (args: readonly string[], cwd = root) => promisify(execFile)(process.execPath, args, { cwd })

/** What a project has that is strict, and knows nothing of this one. */
const strict = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM'],
  types: [],
  module: 'preserve',
  moduleResolution: 'bundler',
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
}

describe('the folder of the client, copied into another project', () => {
  let project: string

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'client-folder-'))
    await run(['--import', 'tsx', 'tools/write-client-types.ts'])
    await cp(join(root, 'client'), join(project, 'client'), { recursive: true })
    const page = await readFile(join(root, 'docs/client.md'), 'utf8')
    const [, code = ''] = /```ts\n(.*?)```/s.exec(page) ?? []
    await writeFile(join(project, 'app.ts'), code)
    await writeFile(join(project, 'package.json'), '{"type": "module"}')
  })

  afterAll(() => rm(project, { recursive: true }))

  const compile = async (options: object) => {
    const config = { compilerOptions: { ...strict, ...options }, files: ['app.ts'] }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config))
    const compiling = run([join(root, 'node_modules/typescript/bin/tsc'), '-p', project], project)
    return compiling.then(
      ({ stdout }) => stdout,
      ({ stdout }: { readonly stdout: string }) => stdout,
    )
  }

  it.each([
    ['exactOptionalPropertyTypes', { exactOptionalPropertyTypes: true }],
    ['no exactOptionalPropertyTypes', { exactOptionalPropertyTypes: false }],
    ['the modules of Node', { module: 'NodeNext', moduleResolution: 'NodeNext' }],
  ])('compiles with the page that explains it under %s', async (_name, options) => {
    expect(await compile(options)).toBe('')
  })

  it('is checked there: a name that it does not have is an error', async () => {
    await writeFile(join(project, 'wrong.ts'), "export { nothing } from './client/client.js'\n")
    const config = { compilerOptions: strict, files: ['wrong.ts'] }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(config))
    const compiling = run([join(root, 'node_modules/typescript/bin/tsc'), '-p', project], project)
    await expect(compiling).rejects.toMatchObject({ stdout: expect.stringContaining('TS2305') })
  })
})
