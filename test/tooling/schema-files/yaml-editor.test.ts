import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { LanguageService, WorkspaceContextService } from 'yaml-language-server'
import { schemaFile } from '../../../src/tooling/schema-files/schema-files.ts'

const root = join(import.meta.dirname, '../../..')
const samples = readdirSync(join(root, 'flows')).filter((name) => name.endsWith('.flowtest.yaml'))

const { getLanguageService } = createRequire(import.meta.url)('yaml-language-server') as {
  getLanguageService(params: object): LanguageService
}

let opened = 0

/** What the YAML support of editors says of a file, by the schema that it is given. */
function openInEditor(text: string, name: string) {
  const telemetry = { send: () => undefined, sendError: () => undefined, sendTrack: () => undefined }
  const service = getLanguageService({
    schemaRequestService: async () => schemaFile(name) ?? '',
    workspaceContext: { resolveRelativePath: (path: string) => path } as WorkspaceContextService,
    telemetry,
  })
  service.configure({
    validate: true,
    completion: true,
    hover: true,
    yamlVersion: '1.2',
    schemas: [{ uri: `schema://${name}`, fileMatch: ['*.yaml'] }],
  })
  const at = text.indexOf('|')
  opened += 1
  // What was parsed of a document is kept by its address and version.
  const document = TextDocument.create(`file:///${opened}.yaml`, 'yaml', 1, text.replace('|', ''))
  const position = document.positionAt(at)
  return {
    problems: async () => (await service.doValidation(document, false)).map(({ message }) => message),
    completions: async () =>
      (await service.doComplete(document, position, false)).items.map(({ label }) => label),
    hover: async () => JSON.stringify((await service.doHover(document, position))?.contents ?? ''),
  }
}

describe('the schema of tests, in the YAML support of editors', () => {
  it.each(samples)('finds nothing wrong with %s', async (name) => {
    const text = readFileSync(join(root, 'flows', name), 'utf8')
    expect(await openInEditor(text.replaceAll('|', ' '), 'flowtest.schema.json').problems()).toEqual([])
  })

  it('proposes steps, and explains them', async () => {
    const steps = 'flow: a.json\ntests:\n  - name: a\n    steps:\n      - |\n'
    expect(await openInEditor(steps, 'flowtest.schema.json').completions()).toEqual(
      expect.arrayContaining(['sees', 'asks', 'says']),
    )
    const seen = 'flow: a.json\ntests:\n  - name: a\n    steps:\n      - se|es: Hi\n'
    expect(await openInEditor(seen, 'flowtest.schema.json').hover()).toContain('All messages of the turn')
  })

  it.each([
    ['flow: a.json\ntests:\n  - name: a\n    steps:\n      - seees: Hi\n', /seees/],
    ['flow: a.json\ntests:\n  - steps:\n      - says: Hi\n', /name/],
    ['flow: a.json\ntests: {}\n', /array/],
  ])('finds the mistake in %s', async (text, message) => {
    const problems = await openInEditor(text, 'flowtest.schema.json').problems()
    expect(problems).toContainEqual(expect.stringMatching(message))
  })
})

it('knows the rules of mocks', async () => {
  expect(await openInEditor('|', 'mocks.schema.json').completions()).toEqual(
    expect.arrayContaining(['http', 'seed']),
  )
})
