import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { generate } from 'openapi-typescript-codegen'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serveChat } from '../fixtures/served-chat.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const bin = (name: string) => join(root, 'node_modules/.bin', name)

type Player = (
  address: string,
  reply: (input: { type: string; items?: { content?: string }[] }) => string,
) => Promise<{ asked: string[]; code: string | undefined; reason: string | undefined }>

/** What a visitor says to an input of each type. */
const replies: Record<string, string> = {
  'number input': '12',
  'email input': 'ada@shop.example',
  'phone number input': '020 7946 0018',
  'url input': 'https://shop.example',
  'date input': '2027-03-04T10:30',
}

/** Bundlers find modules without an extension, as this generator writes them; Node does not. */
const options = {
  target: 'ES2023',
  lib: ['ES2023', 'DOM'],
  module: 'preserve',
  moduleResolution: 'bundler',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
}

/** A folder with the description of the service, in which its modules are found. */
async function describeIn(): Promise<{ readonly folder: string; readonly description: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'generated-clients-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { app } = await serveChat([])
  const description = join(folder, 'openapi.json')
  await writeFile(description, (await app.inject('/openapi.json')).body)
  return { folder, description }
}

describe('a generated client', () => {
  it.each([
    [
      'openapi-typescript',
      async (into: string, description: string) => {
        await run(bin('openapi-typescript'), [description, '--output', join(into, 'types.ts')])
      },
    ],
    [
      'openapi-typescript-codegen',
      async (into: string, description: string) => {
        const input = JSON.parse(await readFile(description, 'utf8'))
        await generate({ input, output: join(into, 'client'), httpClient: 'fetch' })
      },
    ],
  ])('of %s fits the service, and plays a flow to its end', async (name, make) => {
    const { folder, description } = await describeIn()
    const into = join(folder, name)
    await mkdir(into)
    await make(into, description)
    await cp(join(import.meta.dirname, 'players', `${name}.ts`), join(into, 'player.ts'))
    await writeFile(join(into, 'package.json'), '{"type":"module"}')
    await writeFile(join(into, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['.'] }))
    const checked = await run(bin('tsc'), ['-p', into], { timeout: 60_000 }).catch((error) => error)
    expect(checked.stdout).toBe('')
    const { play } = (await import(pathToFileURL(join(into, 'player.ts')).href)) as { play: Player }
    const flow = JSON.parse(await readFile(join(root, 'flows/lead-form.json'), 'utf8'))
    const { app } = await serveChat([flow])
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const played = await play(address, ({ type, items }) => replies[type] ?? items?.[0]?.content ?? 'Ada')
    expect(played.asked).toEqual(expect.arrayContaining(['text input', 'choice input', 'email input']))
    expect(played).toMatchObject({ code: 'NOT_FOUND', reason: 'ended' })
  })

  // The form of an upload has no fields, and says so.
  it('knows every dictionary and every variant by its type', async () => {
    const { folder, description } = await describeIn()
    const types = join(folder, 'whole.ts')
    await run(bin('openapi-typescript'), [description, '--output', types])
    const text = await readFile(types, 'utf8')
    const [, schemas = ''] = text.split('export interface components')
    expect(
      schemas.split('\n').filter((line) => /(?<!headers\?|formData): Record<string, never>/.test(line)),
    ).toEqual([])
    const [, inputs = ''] = /\bInput: (components\["schemas"\]\["[^;]+);/.exec(text) ?? []
    expect(inputs).toContain('components["schemas"]["TextInput"] | ')
    expect(inputs).toContain('components["schemas"]["NumberInput"] | ')
  })
})
