import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CompletionItem,
  createProtocolConnection,
  type Diagnostic,
  type Hover,
  type Location,
  type Position,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol/node.js'

const root = join(import.meta.dirname, '../..')

const program = join(root, 'dist/bin/flow-runtime.js')
const blocks = join(root, 'examples/blocks')

const accounts = [
  { id: 'team', type: 'openai', data: { apiKey: 'sk-never-told' } },
  { id: 'mails', type: 'smtp', data: {} },
]

const tests = `flow: bar.json
tests:
  - name: one
    vars: { Drink: tea }
    steps:
      - went: [Counter]
`

const flow = {
  version: '6.1',
  id: 'bar',
  variables: [{ id: 'v1', name: 'Drink' }],
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
  groups: [
    {
      id: 'g1',
      title: 'Counter',
      blocks: [
        { id: 'i1', type: 'text input', options: { variableId: 'v1' } },
        { id: 't1', type: 'text', content: 'One {{Drink}}.', outgoingEdgeId: 'e2' },
        { id: 'm1', type: 'openai', options: { credentialsId: 'team', action: 'Create chat completion' } },
      ],
    },
  ],
  edges: [
    { id: 'e1', to: { groupId: 'g1' } },
    { id: 'e2', to: { groupId: 'gone' } },
  ],
}

/** An editor that has the server of the built program at the other end of its pipes. */
class Editor {
  readonly found = new Map<string, readonly Diagnostic[]>()
  readonly #connection: ProtocolConnection
  readonly #texts = new Map<string, string>()
  #version = 1

  constructor(connection: ProtocolConnection) {
    this.#connection = connection
    connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
      this.found.set(uri, diagnostics)
    })
    connection.listen()
  }

  async start(folder: string) {
    const workspaceFolders = [{ uri: pathToFileURL(folder).href, name: 'bar' }]
    const asked = { processId: process.pid, rootUri: null, capabilities: {}, workspaceFolders }
    const { capabilities } = await this.#connection.sendRequest<{ capabilities: object }>('initialize', asked)
    await this.#connection.sendNotification('initialized', {})
    return capabilities
  }

  async open(uri: string, text: string) {
    this.#texts.set(uri, text)
    const textDocument = { uri, languageId: 'json', version: this.#version, text }
    await this.#connection.sendNotification('textDocument/didOpen', { textDocument })
  }

  async type(uri: string, text: string) {
    this.#texts.set(uri, text)
    this.#version += 1
    const textDocument = { uri, version: this.#version }
    await this.#connection.sendNotification('textDocument/didChange', {
      textDocument,
      contentChanges: [{ text }],
    })
  }

  /** Asks about the place of a piece of a text, where the cursor is at `|`. */
  at<Answer>(uri: string, marked: string, { method, ...more }: { method: string; newName?: string }) {
    const text = this.#texts.get(uri) ?? ''
    const before = text.slice(0, text.indexOf(marked.replace('|', '')) + marked.indexOf('|'))
    const lines = before.split('\n')
    const position: Position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
    return this.#connection.sendRequest<Answer>(`textDocument/${method}`, {
      ...{ textDocument: { uri }, position },
      ...more,
    })
  }

  async stop() {
    await this.#connection.sendRequest('shutdown')
    await this.#connection.sendNotification('exit')
  }
}

/** A text after the edits of a rename. */
function edited(text: string, { changes = {} }: WorkspaceEdit, uri: string): string {
  const lines = text.split('\n')
  const offset = ({ line, character }: Position) =>
    lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, character)
  return (changes[uri] ?? [])
    .map(({ range, newText }) => ({ start: offset(range.start), end: offset(range.end), newText }))
    .sort((a, b) => b.start - a.start)
    .reduce((now, { start, end, newText }) => now.slice(0, start) + newText + now.slice(end), text)
}

describe('flow-runtime lsp, asked by a client of the protocol', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lsp-'))
  const text = JSON.stringify(flow, null, 2)
  const [uri, testsUri] = ['bar.json', 'bar.flowtest.yaml'].map(
    (name) => pathToFileURL(join(folder, name)).href,
  ) as [string, string]
  const lineOf = (piece: string, character: number): Position => ({
    line: text.slice(0, text.indexOf(piece)).split('\n').length - 1,
    character,
  })
  let editor: Editor
  let ended: Promise<unknown>
  let errors = ''

  beforeAll(async () => {
    writeFileSync(join(folder, 'bar.json'), text)
    writeFileSync(join(folder, 'bar.flowtest.yaml'), tests)
    writeFileSync(join(folder, 'accounts.json'), JSON.stringify(accounts))
    const child = spawn(process.execPath, [program, 'lsp', '--stdio', '--blocks', blocks], {
      cwd: folder,
      env: { PATH: process.env['PATH'], CREDENTIALS_FILE: join(folder, 'accounts.json') },
    })
    ended = once(child, 'exit')
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    const ends = [new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin)] as const
    editor = new Editor(createProtocolConnection(...ends))
    expect(await editor.start(folder)).toMatchObject({ renameProvider: { prepareProvider: true } })
    await editor.open(uri, text)
    await editor.open(testsUri, tests)
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it('finds what is wrong as one types, at its place', async () => {
    await editor.type(uri, text)
    await expect
      .poll(() => editor.found.get(uri))
      .toContainEqual(
        expect.objectContaining({
          code: 'missing-group',
          severity: 1,
          source: 'flow-runtime',
          range: expect.objectContaining({ start: lineOf('"gone"', 19) }),
        }),
      )
    await editor.type(uri, text.replace('"gone"', '"g1"'))
    await expect.poll(() => editor.found.get(uri)?.map(({ code }) => code)).not.toContain('missing-group')
    await editor.type(uri, text.slice(0, -3))
    await expect
      .poll(() => editor.found.get(uri))
      .toEqual([expect.objectContaining({ message: expect.stringContaining('is not valid JSON') })])
    await editor.type(uri, text)
    await expect.poll(() => editor.found.get(uri)?.length).toBeGreaterThan(1)
  })

  it('checks tests, and leaves JSON alone that is no flow', async () => {
    await editor.type(testsUri, tests.replace('went', 'wend'))
    await expect
      .poll(() => editor.found.get(testsUri))
      .toContainEqual(expect.objectContaining({ message: expect.stringContaining('wend') }))
    await editor.type(testsUri, tests)
    await expect.poll(() => editor.found.get(testsUri)).toEqual([])
    const other = pathToFileURL(join(folder, 'accounts.json')).href
    await editor.open(other, '{"name": "no-flow"}')
    await expect.poll(() => editor.found.get(other)).toEqual([])
  })

  it('completes variables, groups and accounts, and tells nothing that an account holds', async () => {
    const labels = async (marked: string) => {
      const items = await editor.at<CompletionItem[]>(uri, marked, { method: 'completion' })
      expect(JSON.stringify(items)).not.toContain('sk-never-told')
      return items.map(({ label }) => label)
    }
    expect(await labels('One {{|Drink')).toEqual(['Drink'])
    expect(await labels('"variableId": "|v1')).toEqual(['Drink'])
    expect(await labels('"groupId": "|gone')).toEqual(['Counter'])
    expect(await labels('"credentialsId": "|team')).toEqual(['team'])
  })

  it('leads to what is named, also from a test', async () => {
    const placeOf = (from: string, marked: string) =>
      editor.at<Location | null>(from, marked, { method: 'definition' })
    expect(await placeOf(uri, 'One {{Dr|ink')).toMatchObject({
      uri,
      range: { start: lineOf('"name": "Drink"', 15) },
    })
    expect(await placeOf(uri, '"outgoingEdgeId": "e|2"')).toMatchObject({
      uri,
      range: { start: lineOf('"id": "e2"', 13) },
    })
    expect(await placeOf(uri, '"groupId": "g|1"')).toMatchObject({
      uri,
      range: { start: lineOf('"title": "Counter"', 16) },
    })
    expect(await placeOf(testsUri, 'went: [Coun|ter')).toMatchObject({
      uri,
      range: { start: lineOf('"title": "Counter"', 16) },
    })
    expect(await placeOf(uri, '"groupId": "go|ne"')).toBeNull()
  })

  it('says what a block does', async () => {
    const hover = await editor.at<Hover | null>(uri, '"type": "text in|put"', { method: 'hover' })
    expect(hover?.contents).toMatchObject({ value: expect.stringContaining('takes any text') })
  })

  it('renames in the flow and in its tests, and refuses what would be no name', async () => {
    const rename = (from: string, marked: string, newName: string) =>
      editor.at<WorkspaceEdit>(from, marked, { method: 'rename', newName })
    const variable = await rename(uri, 'One {{Dr|ink', 'Order')
    expect(edited(text, variable, uri)).toBe(text.replaceAll('Drink', 'Order'))
    expect(edited(tests, variable, testsUri)).toBe(tests.replace('Drink', 'Order'))
    const group = await rename(testsUri, 'went: [Coun|ter', 'At the bar')
    expect(edited(text, group, uri)).toBe(text.replace('Counter', 'At the bar'))
    expect(edited(tests, group, testsUri)).toBe(tests.replace('Counter', 'At the bar'))
    await expect(rename(uri, 'One {{Dr|ink', '{{')).rejects.toThrow('holds no braces')
  })

  it('knows flows in YAML, with their tests and own blocks, as it knows those in JSON', async () => {
    const yaml = `flow: shop
variables: [Order]
groups:
  Counter:
    - ask: Which order?
      into: Order
    - acme/order state:
        order: "{{Order}}"
    - go: Nowhere
  Goodbye:
    - See you, {{Ordr}}!
`
    const yamlTests =
      'flow: shop\ntests:\n  - name: one\n    vars: { Order: 7 }\n    steps: [{ went: [Goodbye] }]\n'
    const [yamlUri, itsTests] = ['shop.flow.yaml', 'shop.flowtest.yaml'].map(
      (name) => pathToFileURL(join(folder, name)).href,
    ) as [string, string]
    writeFileSync(join(folder, 'shop.flow.yaml'), yaml)
    writeFileSync(join(folder, 'shop.flowtest.yaml'), yamlTests)
    await editor.open(itsTests, yamlTests)
    await editor.open(yamlUri, yaml)
    await expect
      .poll(() => editor.found.get(yamlUri))
      .toEqual([
        expect.objectContaining({
          message: expect.stringContaining('no group is called "Nowhere"'),
          range: { start: { line: 8, character: 10 }, end: { line: 8, character: 17 } },
        }),
      ])
    const right = yaml.replace('Nowhere', 'Goodbye')
    await editor.type(yamlUri, right)
    await expect
      .poll(() => editor.found.get(yamlUri))
      .toContainEqual(
        expect.objectContaining({
          code: 'unknown-variable',
          range: expect.objectContaining({ start: { line: 10, character: 6 } }),
        }),
      )
    await editor.type(yamlUri, right.replace('go: Goodbye', 'go: Go'))
    const items = await editor.at<CompletionItem[]>(yamlUri, 'go: Go|', { method: 'completion' })
    expect(items.map(({ label }) => label)).toEqual(['Counter', 'Goodbye'])
    await editor.type(yamlUri, right)
    expect(await editor.at(yamlUri, 'into: Or|der', { method: 'definition' })).toMatchObject({
      range: { start: { line: 1, character: 12 } },
    })
    expect(await editor.at(itsTests, 'went: [Good|bye', { method: 'definition' })).toMatchObject({
      uri: yamlUri,
      range: { start: { line: 9, character: 2 } },
    })
    const hover = await editor.at<Hover>(yamlUri, 'acme/order| state', { method: 'hover' })
    expect(hover.contents).toMatchObject({ value: expect.stringContaining('Looks an order up') })
    const asked = { method: 'rename', newName: 'Order number' }
    const renamed = await editor.at<WorkspaceEdit>(yamlUri, 'into: Or|der', asked)
    expect(edited(right, renamed, yamlUri)).toBe(
      right
        .replace('[Order]', '[Order number]')
        .replace('into: Order', 'into: Order number')
        .replace('{{Order}}', '{{Order number}}'),
    )
    expect(edited(yamlTests, renamed, itsTests)).toBe(yamlTests.replace('Order', 'Order number'))
  })

  it('is not ended by what nobody should send, and ends with its editor', async () => {
    for (const hostile of [
      '['.repeat(100_000),
      `{"groups": ${'{"a":'.repeat(50_000)}`,
      '\0',
      '{"groups": [null, 1]}',
    ])
      await editor.type(uri, hostile)
    await editor.type(uri, readFileSync(join(root, 'flows/lead-form.json'), 'utf8'))
    await expect.poll(() => editor.found.get(uri)?.filter(({ severity }) => severity === 1)).toEqual([])
    await editor.at(uri, '|', { method: 'hover' })
    await editor.stop()
    expect(await ended).toEqual([0, null])
    expect(errors).toBe('')
  })
})
