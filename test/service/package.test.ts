import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBuiltService } from '../support/built-service.ts'

const root = join(import.meta.dirname, '../..')
/** Where npx runs these tests by another Node, it hands on that package, which every npx inside would take for its own. */
const { npm_config_package: _, ...env } = process.env

const execute = (program: string, args: readonly string[], { cwd }: { readonly cwd: string }) =>
  promisify(execFile)(program, args, { cwd, env })

const tsc = join(root, 'node_modules/typescript/bin/tsc')

/** The most that the package may take up when it is fetched. */
const maxPackageBytes = 1_500_000

/** The most files that it brings along: npm spends most of its time on each of them. */
const maxInstalledFiles = 8000

const app = `import { createClient, type Turn } from 'flow-runtime/client'
import { type ChatOptions, openChat } from 'flow-runtime/embed'

export const turn = async (address: string): Promise<Turn> => (await createClient({ address }).start('welcome')).answer
export const open = (options: ChatOptions) => openChat(options)
`

const flow = {
  version: '6.1',
  id: 'welcome',
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
  groups: [{ id: 'g1', blocks: [{ id: 'i', type: 'text input' }] }],
  edges: [{ id: 'e1', to: { groupId: 'g1' } }],
}

interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

describe('the package, installed into an empty folder', () => {
  let folder: string
  let packed: Packed
  const runIn = (program: string, ...args: string[]) => execute(program, args, { cwd: folder })

  beforeAll(async () => {
    // The rest is built before all tests. `prepack` would build it again, while others run it.
    for (const tool of ['tools/write-client-types.ts', 'tools/write-schemas.ts'])
      await execute(process.execPath, ['--import', 'tsx', tool], { cwd: root })
    await execute(process.execPath, [tsc, '-p', 'client'], { cwd: root })
    folder = await mkdtemp(join(tmpdir(), 'package-'))
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
    const { stdout } = await execute('npm', pack, { cwd: root })
    packed = JSON.parse(stdout)[0]
    await writeFile(join(folder, 'package.json'), '{"type": "module"}')
    // With `engine-strict`, a dependency that asks for a newer Node ends the installation.
    await runIn('npm', 'install', '--engine-strict', '--no-audit', '--no-fund', `./${packed.filename}`)
  })

  afterAll(() => rm(folder, { recursive: true }))

  it('is small, and holds no tests, sources or maps', () => {
    expect(packed.size).toBeLessThan(maxPackageBytes)
    const paths = packed.files.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining(['dist/bin/flow-runtime.js', 'dist/schemas/flow.schema.json']),
    )
    expect(paths.filter((path) => /^(?:src|test|bench)\/|\.map$|\.test\./.test(path))).toEqual([])
  })

  it('brings few files along', async () => {
    const entries = await readdir(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    expect(entries.filter((entry) => entry.isFile()).length).toBeLessThan(maxInstalledFiles)
  })

  it('has the command', async () => {
    const { stdout, stderr } = await runIn('npx', '--no-install', 'flow-runtime', '--help')
    expect(stdout).toContain('Usage: flow-runtime')
    expect(stderr).toBe('')
  })

  it('makes a folder with a first flow, whose tests pass, and serves it to its author', async () => {
    const { stdout } = await runIn('npx', '--no-install', 'flow-runtime', 'init', 'demo')
    expect(stdout).toContain('made  demo/flows/table.flow.yaml')
    const demo = join(folder, 'demo')
    const { stdout: tested } = await execute('npx', ['--no-install', 'flow-runtime', 'test'], { cwd: demo })
    expect(tested).toContain('3 passed, 0 failed')
    const dev = spawn('npx', ['--no-install', 'flow-runtime', 'dev', '--no-open'], {
      cwd: demo,
      env: { PATH: process.env['PATH'], PORT: '0' },
      detached: true,
    })
    try {
      let out = ''
      dev.stdout.on('data', (chunk) => {
        out += chunk
      })
      await expect.poll(() => out).toContain('flow=table&watch&token=')
      const [address = ''] = /http:\/\/\S+/.exec(out) ?? []
      const entered = await fetch(address, { redirect: 'manual' })
      expect(entered.headers.get('location')).toBe('/try?flow=table&watch=')
      const cookie = entered.headers.get('set-cookie') ?? ''
      expect((await fetch(new URL('/try?flow=table', address), { headers: { cookie } })).status).toBe(200)
      const flowFile = join(demo, 'flows/table.flow.yaml')
      const text = await readFile(flowFile, 'utf8')
      const [, schema = ''] = /\$schema=(\S+)/.exec(text) ?? []
      expect(JSON.parse(await readFile(join(demo, 'flows', schema), 'utf8')).title).toBe('A flow in YAML')
      await writeFile(flowFile, text.replace('to: By phone', 'to: By mail'))
      await expect.poll(() => out).toContain('no group is called "By mail"')
    } finally {
      // npx has the command in a shell.
      process.kill(-(dev.pid ?? 0), 'SIGTERM')
      await once(dev, 'close')
    }
  })

  it('serves flows, and types and runs a client of them', async () => {
    await mkdir(join(folder, 'flows'))
    await writeFile(join(folder, 'flows/welcome.json'), JSON.stringify(flow))
    await writeFile(join(folder, 'app.ts'), app)
    const compilerOptions = {
      module: 'NodeNext',
      target: 'ES2022',
      lib: ['ES2022', 'DOM', 'DOM.Iterable'],
      strict: true,
    }
    const config = { compilerOptions: { ...compilerOptions, types: [], noEmit: true }, files: ['app.ts'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    await runIn(process.execPath, tsc, '-p', '.')
    const args = [join(folder, 'node_modules/.bin/flow-runtime'), 'serve']
    const service = await startBuiltService({ FLOWS_DIR: join(folder, 'flows') }, { args })
    try {
      const script = `import { createClient } from 'flow-runtime/client'
        const { answer } = await createClient({ address: '${service.address}' }).start('welcome')
        console.log(answer.input.type)`
      const { stdout } = await runIn(process.execPath, '--input-type=module', '--eval', script)
      expect(stdout).toBe('text input\n')
      expect((await fetch(`${service.address}/f/welcome`)).status).toBe(200)
    } finally {
      await service.stop()
    }
  })
})
