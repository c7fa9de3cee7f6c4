import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CompletionItem,
  CompletionItemKind,
  type Connection,
  LSPErrorCodes,
  MarkupKind,
  ResponseError,
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
import { createWorkspace, pathOf } from './workspace.ts'

/** Quiet after which a document is checked. */
const quietMs = 200

interface ServerTerms {
  readonly blocks: Blocks
  /** The file of accounts; undefined where none is named. */
  readonly credentialsFile: string | undefined
  /** Milliseconds. */
  readonly now: () => number
}

/** Answers an editor about flows and their tests. What fails is logged to the editor, and never ends the server. */
export async function startLanguageServer(
  connection: Connection,
  { blocks: { registry, own }, credentialsFile, now }: ServerTerms,
) {
  const documents = new TextDocuments(TextDocument)
  const workspace = createWorkspace((uri) => documents.get(uri))
  const checker = createDocumentCheck(registry, now)
  const describeBlock = blockDescriptions(await readFile(join(packageRoot, 'docs/blocks.md'), 'utf8'), own)
  const waiting = new Map<string, NodeJS.Timeout>()
  let folder: string | undefined

  connection.onInitialize(({ workspaceFolders }) => {
    const [first] = workspaceFolders ?? []
    folder = first && pathOf(first.uri)
    return {
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['{', '"'] },
        definitionProvider: true,
        hoverProvider: true,
        renameProvider: { prepareProvider: true },
      },
      serverInfo: { name: 'flow-runtime' },
    }
  })

  async function check(uri: string): Promise<void> {
    const [document, path] = [documents.get(uri), pathOf(uri)]
    if (!document || path === undefined) return
    const { version } = document
    const diagnostics = [...(await checker.check(document, path))]
    // What was typed meanwhile is checked by itself.
    if (documents.get(uri)?.version === version)
      await connection.sendDiagnostics({ uri, version, diagnostics })
  }
  const checkSoon = (uri: string) => {
    clearTimeout(waiting.get(uri))
    const timer = setTimeout(() => {
      waiting.delete(uri)
      check(uri).catch(report)
    }, quietMs)
    waiting.set(uri, timer)
  }
  const report = (error: unknown) =>
    connection.console.error(`${error instanceof Error ? error.stack : error}`)

  documents.onDidChangeContent(({ document: { uri } }) => checkSoon(uri))
  documents.onDidSave(({ document: { uri } }) => {
    checker.forget(pathOf(uri) ?? '')
    for (const { uri: other } of documents.all()) checkSoon(other)
  })
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(waiting.get(uri))
    waiting.delete(uri)
    void connection.sendDiagnostics({ uri, diagnostics: [] })
  })

  /** The document of a request with the names in it and in its flow; undefined for what is not open. */
  async function placeOf({ textDocument, position }: TextDocumentPositionParams) {
    const document = documents.get(textDocument.uri)
    const flow = document && (await workspace.flowOf(document))
    if (!document || !flow) return undefined
    const offset = document.offsetAt(position)
    return { document, flow, offset, names: namesOf(document), ofFlow: namesOf(flow) }
  }

  connection.onDefinition(async (params) => {
    const place = await placeOf(params)
    const found = place && meaningAt(place.names, place.ofFlow, place.offset)
    return found ? { uri: place.flow.uri, range: rangeOf(place.flow, found.meant.span) } : null
  })

  connection.onHover(async (params) => {
    const place = await placeOf(params)
    if (!place) return null
    const { document, offset, names, ofFlow } = place
    const hover = { json: hoverJson, yaml: hoverYaml, tests: undefined }[kindOf(document.uri) ?? 'tests']
    const value = hover
      ? hover(document.getText(), offset, { names, describeBlock })
      : hoverName(names, ofFlow, offset)
    return value === undefined ? null : { contents: { kind: MarkupKind.Markdown, value } }
  })

  connection.onCompletion(async (params): Promise<CompletionItem[]> => {
    const place = await placeOf(params)
    const complete =
      place &&
      { json: completeJson, yaml: completeYaml, tests: undefined }[kindOf(place.document.uri) ?? 'tests']
    if (!complete) return []
    const { document, offset, names } = place
    const accounts = await readAccountNames(credentialsFile)
    return complete(document.getText(), offset, {
      names,
      accounts,
      accountTypesOf: (type) => accountTypesOf(type, registry),
    }).map((one) => itemOf(one, document))
  })

  connection.onPrepareRename(async (params) => {
    const place = await placeOf(params)
    const found = place && meaningAt(place.names, place.ofFlow, place.offset)
    if (!found) return null
    return { range: rangeOf(place.document, found.occurrence), placeholder: found.occurrence.called }
  })

  connection.onRenameRequest(async ({ newName, ...params }): Promise<WorkspaceEdit | null> => {
    const place = await placeOf(params)
    const found = place && meaningAt(place.names, place.ofFlow, place.offset)
    if (!found) return null
    try {
      checkNewName(place.ofFlow, found.occurrence, newName)
    } catch (error) {
      if (!(error instanceof RenameError)) throw error
      throw new ResponseError(LSPErrorCodes.RequestFailed, error.message)
    }
    const all = [place.flow, ...(await workspace.testsOf(place.flow, folder))]
    const changes = all.map((document) => {
      const replacements = replacementsIn(namesOf(document), found.occurrence, newName)
      return [
        document.uri,
        replacements.map(({ text, ...span }) => ({ range: rangeOf(document, span), newText: text })),
      ]
    })
    return { changes: Object.fromEntries(changes) }
  })

  documents.listen(connection)
  connection.listen()
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
