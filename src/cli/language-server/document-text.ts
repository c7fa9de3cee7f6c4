import type { Range, TextDocument } from 'vscode-languageserver-textdocument'
import { isYamlFlow } from '../../definition/read-flow-text.ts'
import { namesInJson } from './json-names.ts'
import { type NamesOfText, noNames, type TextRange } from './occurrence.ts'
import { namesInTests } from './test-names.ts'
import { namesInYaml } from './yaml-names.ts'

/** The kind of a file, by its name. */
type FileKind = 'json' | 'yaml' | 'tests'

export function kindOf(uri: string): FileKind | undefined {
  if (uri.endsWith('.flowtest.yaml')) return 'tests'
  if (isYamlFlow(uri)) return 'yaml'
  return uri.endsWith('.json') ? 'json' : undefined
}

/** Longer texts are no flows that somebody writes by hand: looking for names in them would hold up what is typed. */
export const mostCharacters = 4 * 2 ** 20

const readers: Readonly<Record<FileKind, (text: string) => NamesOfText>> = {
  json: namesInJson,
  yaml: namesInYaml,
  tests: namesInTests,
}

const known = new WeakMap<TextDocument, { readonly version: number; readonly names: NamesOfText }>()

/** The names in a document, found once for each of its versions; none in what is too long or can't be read. */
export function namesOf(document: TextDocument): NamesOfText {
  const before = known.get(document)
  if (before?.version === document.version) return before.names
  const kind = kindOf(document.uri)
  const text = document.getText()
  const read = kind && text.length <= mostCharacters ? readShallow(readers[kind], text) : noNames
  // YAML that is being typed often can't be read: what was declared before still is.
  const names =
    kind === 'yaml' && before && read.declared.length === 0
      ? { ...read, declared: before.names.declared }
      : read
  known.set(document, { version: document.version, names })
  return names
}

export const rangeOf = (document: TextDocument, { start, end }: TextRange): Range => ({
  start: document.positionAt(start),
  end: document.positionAt(end),
})

/** Readers recurse: what lies too deep for them has no names. */
function readShallow(read: (text: string) => NamesOfText, text: string): NamesOfText {
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return noNames
  }
}
