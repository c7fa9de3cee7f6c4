import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const root = join(import.meta.dirname, '../..')
const extension = join(root, 'editors/vscode')
const { main, dependencies, contributes, engines } = JSON.parse(
  readFileSync(join(extension, 'package.json'), 'utf8'),
)
const [, , ...asked] = contributes.configuration.properties['flowRuntime.command'].default as string[]
const folder = mkdtempSync(join(tmpdir(), 'vscode-'))

interface Found {
  readonly message: string
  readonly code: string
  readonly range: { readonly start: { readonly line: number } }
}

type Listener = (event: unknown) => void

/** Something to listen to, as the editor has it. */
class Emitter {
  readonly #listeners: Listener[] = []
  readonly event = (listener: Listener, itself?: object) => {
    this.#listeners.push(listener.bind(itself))
    return { dispose() {} }
  }
  fire = (event: unknown) => {
    for (const listener of this.#listeners) listener(event)
  }
  dispose() {}
}

const uri = (text: string) => ({ scheme: 'file', fsPath: fileURLToPath(text), toString: () => text })

const opened = new Emitter()
const changed = new Emitter()
const documents: object[] = []
const found = new Map<string, readonly Found[]>()
const providers: string[] = []
/** What the editor would show of errors. */
const complaints: string[] = []

/** What is known, and for all else of the editor a function that does nothing. */
const withRest = (known: object) =>
  new Proxy(known, {
    get: (_known, name) => {
      if (typeof name === 'symbol' || name in known) return Reflect.get(known, name)
      return () => {
        if (name.startsWith('register')) providers.push(name)
        return { dispose() {} }
      }
    },
  })

/** What is known, and for all else a class, whose constants are texts. */
const withClasses = (known: Record<string, unknown>) =>
  new Proxy(known, {
    get: (_known, name: string) => {
      known[name] ??= new Proxy(class {}, {
        get: (type, key) => (typeof key === 'symbol' || key in type ? Reflect.get(type, key) : key),
      })
      return known[name]
    },
  })

/** As much of an editor as the client of the language server needs to tell what is wrong with a file. */
const vscode = withClasses({
  version: engines.vscode.slice(1),
  EventEmitter: Emitter,
  CancellationTokenSource: class {
    readonly token = { isCancellationRequested: false, onCancellationRequested: new Emitter().event }
    dispose() {}
  },
  Uri: { parse: uri, file: (path: string) => uri(pathToFileURL(path).href) },
  Range: class {
    constructor(line: number, character: number, endLine: number, endCharacter: number) {
      Object.assign(this, { start: { line, character }, end: { line: endLine, character: endCharacter } })
    }
  },
  Diagnostic: class {
    constructor(range: object, message: string, severity: number) {
      Object.assign(this, { range, message, severity })
    }
  },
  workspace: withRest({
    getConfiguration: () => ({
      get: (name: string) =>
        name === 'command' ? [process.execPath, join(root, 'dist/bin/flow-runtime.js'), ...asked] : undefined,
    }),
    workspaceFolders: [{ uri: uri(pathToFileURL(folder).href), name: 'bar', index: 0 }],
    textDocuments: documents,
    onDidOpenTextDocument: opened.event,
    onDidChangeTextDocument: changed.event,
  }),
  languages: withRest({
    match: () => 10,
    createDiagnosticCollection: () => ({
      set: (place: object, list: readonly Found[]) => found.set(String(place), list),
      dispose() {},
    }),
  }),
  window: withRest({
    createOutputChannel: () => withRest({ error: (text: unknown) => complaints.push(String(text)) }),
    showErrorMessage: async (text: string) => complaints.push(text),
    tabGroups: { all: [], onDidChangeTabs: new Emitter().event },
    visibleTextEditors: [],
  }),
  env: withRest({ language: 'en' }),
})

interface Loader {
  _load(name: string, ...rest: unknown[]): unknown
}

const flow = (target: string) =>
  JSON.stringify(
    {
      version: '6.1',
      id: 'bar',
      events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
      groups: [{ id: 'g1', title: 'Counter', blocks: [{ id: 't1', type: 'text', content: 'One.' }] }],
      edges: [{ id: 'e1', to: { groupId: target } }],
      variables: [],
    },
    null,
    2,
  )

let loaded: { activate(): Promise<void>; deactivate(): Promise<void> }

beforeAll(async () => {
  const loader = Module as unknown as Loader
  const load = loader._load
  vi.spyOn(loader, '_load').mockImplementation((name, ...rest) =>
    name === 'vscode' ? vscode : load.call(Module, name, ...rest),
  )
  loaded = createRequire(import.meta.url)(join(extension, main))
  await loaded.activate()
})

afterAll(async () => {
  await loaded?.deactivate()
  rmSync(folder, { recursive: true })
})

it('starts the language server, and shows what it finds as one types', async () => {
  const file = pathToFileURL(join(folder, 'bar.json')).href
  let text = flow('gone')
  const document = { uri: uri(file), languageId: 'json', version: 1, isClosed: false, getText: () => text }
  documents.push(document)
  opened.fire(document)
  await vi.waitFor(() => expect(found.get(file)).toBeDefined(), 60_000)
  const line = text.split('\n').findIndex((one) => one.includes('"gone"'))
  expect(found.get(file)).toContainEqual(
    expect.objectContaining({
      code: 'missing-group',
      message: 'No group has the id "gone".',
      range: expect.objectContaining({ start: { line, character: expect.any(Number) } }),
    }),
  )
  const range = { start: { line: 0, character: 0 }, end: { line: text.split('\n').length, character: 0 } }
  text = flow('g1')
  changed.fire({
    document: { ...document, version: 2 },
    contentChanges: [{ range, text }],
    reason: undefined,
  })
  await vi.waitFor(() => expect(found.get(file)).toEqual([]), 60_000)
})

it('completes, explains, follows and renames by what the server can do', () => {
  const done = ['Completion', 'Hover', 'Definition', 'Rename'].map((what) => expect.stringContaining(what))
  expect(providers).toEqual(expect.arrayContaining(done))
  expect(complaints).toEqual([])
})

it('is tried with the version of the client that it names', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(devDependencies['vscode-languageclient']).toBe(
    dependencies['vscode-languageclient'].replace('^', ''),
  )
})
