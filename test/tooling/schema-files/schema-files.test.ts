import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { getLanguageService, TextDocument } from 'vscode-json-languageservice'
import { keyDescriptions } from '../../../src/tooling/schema-files/key-descriptions.ts'
import * as schemaFiles from '../../../src/tooling/schema-files/schema-files.ts'
import { buildTestApp } from '../../support/build-test-app.ts'

const { schemaFile, schemaFileNames } = schemaFiles

const root = join(import.meta.dirname, '../../..')
const samples = readdirSync(join(root, 'flows')).filter((name) => name.endsWith('.json'))

/** What VS Code says of a file: as its own JSON support, which many editors use, does. */
function openInEditor(text: string, schema: string) {
  const service = getLanguageService({})
  service.configure({
    schemas: [{ uri: 'schema://it', fileMatch: ['*'], schema: JSON.parse(schemaFile(schema) ?? '') }],
  })
  const at = text.indexOf('|')
  const document = TextDocument.create('file:///it.json', 'json', 1, text.replace('|', ''))
  const parsed = service.parseJSONDocument(document)
  const position = document.positionAt(at)
  return {
    problems: async () => (await service.doValidation(document, parsed)).map(({ message }) => message),
    completions: async () =>
      (await service.doComplete(document, position, parsed))?.items.map(({ label }) => label) ?? [],
    hover: async () => JSON.stringify((await service.doHover(document, position, parsed))?.contents ?? ''),
  }
}

/** A flow whose only block is this. */
const flowWith = (block: string) => `{"id": "f", "groups": [{"id": "g", "blocks": [${block}]}]}`

describe('the schema of flows, in an editor', () => {
  it.each(samples)('finds nothing wrong with %s', async (name) => {
    const text = readFileSync(join(root, 'flows', name), 'utf8')
    expect(await openInEditor(text, 'flow.schema.json').problems()).toEqual([])
  })

  it('proposes the types of blocks, and the options of the one that stands there', async () => {
    const types = await openInEditor(flowWith('{"id": "b", "type": "|"}'), 'flow.schema.json').completions()
    expect(types).toEqual(expect.arrayContaining(['"text input"', '"Condition"', '"OpenAI"']))
    const block = '{"id": "b", "type": "number input", "options": {"|"}}'
    const options = await openInEditor(flowWith(block), 'flow.schema.json').completions()
    expect(options).toEqual(expect.arrayContaining(['min', 'max', 'variableId']))
    expect(options).not.toContain('allowedFileTypes')
  })

  it('explains an option', async () => {
    const block = '{"id": "b", "type": "number input", "options": {"mi|n": 1}}'
    expect(await openInEditor(flowWith(block), 'flow.schema.json').hover()).toContain('number')
  })

  it.each([
    ['{"id": "b", "type": "Text input"}', /not accepted/],
    ['{"id": "b", "type": "choice input", "items": {}}', /Expected "array"/],
    ['{"type": "text"}', /Missing property "id"/],
  ])('finds the mistake in %s, once', async (block, message) => {
    const problems = await openInEditor(flowWith(block), 'flow.schema.json').problems()
    expect(problems).toEqual([expect.stringMatching(message)])
  })
})

it('knows the fields of tests and of accounts', async () => {
  const steps = await openInEditor(
    '{"tests": [{"name": "a", "steps": [{"|"}]}]}',
    'flowtest.schema.json',
  ).completions()
  expect(steps).toEqual(expect.arrayContaining(['sees', 'asks', 'says']))
  const account = '[{"id": "a", "type": "openai", "data": {"apiKey": "$env:KEY", "baseUrl": "$env:URL"}}]'
  expect(await openInEditor(account, 'credentials.schema.json').problems()).toEqual([])
  const wrong = '[{"id": "a", "type": "openai", "data": {"key": "x"}}]'
  expect(await openInEditor(wrong, 'credentials.schema.json').problems()).toEqual([
    'Missing property "apiKey".',
    'Property key is not allowed.',
  ])
})

interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Every property of a schema, at any depth, by its place. */
function* propertiesIn(schema: unknown, at = ''): Generator<readonly [place: string, schema: Schema]> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [key, value] of Object.entries(schema)) {
    // The words of a tag are explained where they are chosen from.
    if (key === 'examples' || key === 'if') continue
    if (key === 'properties') {
      for (const [name, property] of Object.entries(value as object)) {
        yield [`${at}.${name}`, property]
        yield* propertiesIn(property, `${at}.${name}`)
      }
      continue
    }
    yield* propertiesIn(value, `${at}.${key}`)
  }
}

it.each(schemaFileNames)('explains every property in %s', (name) => {
  const file = JSON.parse(schemaFile(name) ?? '')
  const textOf = ({ $ref, description }: Schema): string | undefined =>
    $ref === undefined ? description : textOf(at($ref.replace('#/definitions/', '').split('/')))
  const at = (path: readonly string[]) => path.reduce((node, key) => node[key], file.definitions)
  const properties = [...propertiesIn(file)]
  expect(properties.length).toBeGreaterThan(20)
  expect(properties.filter(([, property]) => !textOf(property)).map(([place]) => place)).toEqual([])
})

it('has no explanation that no property needs', () => {
  const files = schemaFileNames.map((name) => schemaFile(name)).join('\n')
  expect(Object.values(keyDescriptions).filter((text) => !files.includes(JSON.stringify(text)))).toEqual([])
})

it('serves each, and nothing else', async () => {
  const { app } = await buildTestApp()
  for (const name of schemaFileNames) {
    const { statusCode, headers, body } = await app.inject(`/schemas/${name}`)
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/schema+json; charset=utf-8'])
    expect(body).toBe(schemaFile(name))
    const known = await app.inject({ url: `/schemas/${name}`, headers: { 'if-none-match': headers.etag } })
    expect([known.statusCode, known.body]).toEqual([304, ''])
  }
  expect((await app.inject('/schemas/toString')).statusCode).toBe(404)
})

it('writes each once, whoever asks', async () => {
  const { app } = await buildTestApp()
  const written = vi.spyOn(schemaFiles, 'schemaFile')
  onTestFinished(() => written.mockRestore())
  for (let time = 0; time < 3; time++) await app.inject('/schemas/flow.schema.json')
  expect(written).toHaveBeenCalledTimes(1)
})
