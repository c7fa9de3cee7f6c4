import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CompletionItem,
  CompletionItemKind,
  type Connection,
  type Hover,
  type Location,
  LSPErrorCodes,
  MarkupKind,
  type RenameParams,
  ResponseError,
  type ServerCapabilities,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
  type WorkspaceEdit,
} from 'vscode-languageserver/node.js'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { packageRoot } from '../../lib/package-root.ts'
import type { Blocks } from '../../own-blocks/load-blocks.ts'
import { accountTypesOf, readAccountNames } from './account-names.ts'
import { createDocumentCheck } from './check-document.ts'
import { completeJson, type Suggestion } from './complete.ts'
import { completeYaml } from './complete-yaml.ts'
import { kindOf, namesOf, rangeOf } from './document-text.ts'
import { blockDescriptions, hoverJson, hoverName, hoverYaml } from './hover.ts'
import { meaningAt } from './occurrence.ts'
import { checkNewName, RenameError, replacementsIn } from './rename.ts'
import { createWorkspace, pathOfUri } from './workspace.ts'

/** Quiet after which a document is checked. */
const quietMs = 200

const capabilities: ServerCapabilities = {
  textDocumentSync: TextDocumentSyncKind.Incremental,
  completionProvider: { triggerCharacters: ['{', '"'] },
  definitionProvider: true,
  hoverProvider: true,
  renameProvider: { prepareProvider: true },
}

interface ServerTerms {
  readonly blocks: Blocks
  /** The file of accounts; undefined where none is named. */
  readonly credentialsFile: string | undefined
  /** Milliseconds. */
  readonly now: () => number
}

/** Answers an editor about flows and their tests. What fails is logged to the editor, and never ends the server. */
export async function startLanguageServer(connection: Connection, terms: ServerTerms): Promise<void> {
  const docs = await readFile(join(packageRoot, 'docs/blocks.md'), 'utf8')
  new LanguageServer(connection, {
    ...terms,
    describeBlock: blockDescriptions(docs, terms.blocks.own),
  }).listen()
}

interface LanguageTerms extends ServerTerms {
  readonly describeBlock: ReturnType<typeof blockDescriptions>
}

class LanguageServer {
  readonly #connection: Connection
  readonly #terms: LanguageTerms
  readonly #documents = new TextDocuments(TextDocument)
  readonly #workspace = createWorkspace((uri) => this.#documents.get(uri))
  readonly #checker: ReturnType<typeof createDocumentCheck>
  readonly #waiting = new Map<string, NodeJS.Timeout>()
  #folder: string | undefined

  constructor(connection: Connection, terms: LanguageTerms) {
    this.#connection = connection
    this.#terms = terms
    this.#checker = createDocumentCheck(terms.blocks.registry, terms.now)
  }

  listen(): void {
    const [connection, documents] = [this.#connection, this.#documents]
    connection.onInitialize(({ workspaceFolders }) => {
      const [first] = workspaceFolders ?? []
      this.#folder = first && pathOfUri(first.uri)
      return { capabilities, serverInfo: { name: 'flow-runtime' } }
    })
    documents.onDidChangeContent(({ document: { uri } }) => this.#checkSoon(uri))
    documents.onDidSave(({ document: { uri } }) => {
      this.#checker.forget(pathOfUri(uri) ?? '')
      for (const { uri: other } of documents.all()) this.#checkSoon(other)
    })
    documents.onDidClose(({ document: { uri } }) => {
      clearTimeout(this.#waiting.get(uri))
      this.#waiting.delete(uri)
      void connection.sendDiagnostics({ uri, diagnostics: [] })
    })
    connection.onDefinition((place) => this.#define(place))
    connection.onHover((place) => this.#hover(place))
    connection.onCompletion((place) => this.#complete(place))
    connection.onPrepareRename((place) => this.#prepareRename(place))
    connection.onRenameRequest((rename) => this.#rename(rename))
    documents.listen(connection)
    connection.listen()
  }

  #checkSoon(uri: string): void {
    clearTimeout(this.#waiting.get(uri))
    const timer = setTimeout(() => {
      this.#waiting.delete(uri)
      this.#check(uri).catch((error: unknown) =>
        this.#connection.console.error(`${error instanceof Error ? error.stack : error}`),
      )
    }, quietMs)
    this.#waiting.set(uri, timer)
  }

  async #check(uri: string): Promise<void> {
    const [document, path] = [this.#documents.get(uri), pathOfUri(uri)]
    if (!document || path === undefined) return
    const { version } = document
    const diagnostics = [...(await this.#checker.check(document, path))]
    // What was typed meanwhile is checked by itself.
    if (this.#documents.get(uri)?.version === version)
      await this.#connection.sendDiagnostics({ uri, version, diagnostics })
  }

  /** The document of a request with the names in it and in its flow; undefined for what is not open. */
  async #placeOf({ textDocument, position }: TextDocumentPositionParams) {
    const document = this.#documents.get(textDocument.uri)
    const flow = document && (await this.#workspace.flowOf(document))
    if (!document || !flow) return undefined
    const offset = document.offsetAt(position)
    return { document, flow, offset, names: namesOf(document), ofFlow: namesOf(flow) }
  }

  /** The same with the name at this place, where there is one. */
  async #nameAt(params: TextDocumentPositionParams) {
    const place = await this.#placeOf(params)
    const found = place && meaningAt(place.names, place.ofFlow, place.offset)
    return found && { ...place, found }
  }

  async #define(params: TextDocumentPositionParams): Promise<Location | null> {
    const named = await this.#nameAt(params)
    return named ? { uri: named.flow.uri, range: rangeOf(named.flow, named.found.meant.span) } : null
  }

  async #hover(params: TextDocumentPositionParams): Promise<Hover | null> {
    const place = await this.#placeOf(params)
    if (!place) return null
    const { document, offset, names, ofFlow } = place
    const { describeBlock } = this.#terms
    const hover = { json: hoverJson, yaml: hoverYaml, tests: undefined }[kindOf(document.uri) ?? 'tests']
    const value = hover
      ? hover(document.getText(), offset, { names, describeBlock })
      : hoverName(names, ofFlow, offset)
    return value === undefined ? null : { contents: { kind: MarkupKind.Markdown, value } }
  }

  async #complete(params: TextDocumentPositionParams): Promise<CompletionItem[]> {
    const place = await this.#placeOf(params)
    const complete =
      place &&
      { json: completeJson, yaml: completeYaml, tests: undefined }[kindOf(place.document.uri) ?? 'tests']
    if (!complete) return []
    const { document, offset, names } = place
    const { credentialsFile, blocks } = this.#terms
    const accounts = await readAccountNames(credentialsFile)
    return complete(document.getText(), offset, {
      names,
      accounts,
      accountTypesOf: (type) => accountTypesOf(type, blocks.registry),
    }).map((one) => itemOf(one, document))
  }

  async #prepareRename(params: TextDocumentPositionParams) {
    const named = await this.#nameAt(params)
    if (!named) return null
    const { occurrence } = named.found
    return { range: rangeOf(named.document, occurrence), placeholder: occurrence.called }
  }

  async #rename({ newName, ...params }: RenameParams): Promise<WorkspaceEdit | null> {
    const named = await this.#nameAt(params)
    if (!named) return null
    const { flow, ofFlow, found } = named
    try {
      checkNewName(ofFlow, found.occurrence, newName)
    } catch (error) {
      if (!(error instanceof RenameError)) throw error
      throw new ResponseError(LSPErrorCodes.RequestFailed, error.message)
    }
    const all = [flow, ...(await this.#workspace.testsOf(flow, this.#folder))]
    const changes = all.map((document) => {
      const replacements = replacementsIn(namesOf(document), found.occurrence, newName)
      return [
        document.uri,
        replacements.map(({ text, ...span }) => ({ range: rangeOf(document, span), newText: text })),
      ]
    })
    return { changes: Object.fromEntries(changes) }
  }
}

function itemOf({ label, detail, text, start, end }: Suggestion, document: TextDocument): CompletionItem {
  return {
    label,
    detail,
    kind: CompletionItemKind.Reference,
    // Editors look for what is typed in it, which may be a quote before the name.
    filterText: text,
    textEdit: { range: rangeOf(document, { start, end }), newText: text },
  }
}
