import { applyEdits, modify } from 'jsonc-parser'
import { isMap, isScalar, type Pair, parseDocument } from 'yaml'
import type { Flow } from '../../../schemas/flow.ts'
import { isYamlFlow } from '../../definition/read-flow-text.ts'
import { UsageError } from '../command.ts'
import type { FlowSource } from '../input/flow-source.ts'

type Texts = NonNullable<Flow['localizations']>[string]

/** The text of a flow's file with the texts of one language; the rest of it stays as it is. */
export function withLocalization(
  { path, text }: Pick<FlowSource, 'path' | 'text'>,
  tag: string,
  texts: Texts,
) {
  return isYamlFlow(path) ? inYaml({ path, text }, tag, texts) : inJson(text, tag, texts)
}

function inJson(text: string, tag: string, texts: Texts): string {
  // A file on one line stays on it.
  const formattingOptions = text.includes('\n') ? { insertSpaces: true, tabSize: 2, eol: '\n' } : undefined
  const edits = modify(text, ['localizations', tag], texts, {
    ...(formattingOptions && { formattingOptions }),
  })
  return applyEdits(text, edits)
}

/** Only the part that holds the translations is written anew, with its comments. */
function inYaml({ path, text }: Pick<FlowSource, 'path' | 'text'>, tag: string, texts: Texts): string {
  const { contents } = parseDocument(text)
  const pairs = isMap(contents) && !contents.flow ? contents.items : undefined
  if (!pairs)
    throw new UsageError(`${path}: translations are written into a flow whose keys have a line each`)
  const { start, end } = partOf(pairs, text)
  const part = parseDocument(text.slice(start, end))
  if (part.errors.length > 0)
    throw new UsageError(`${path}: "localizations" uses an anchor of another part: write what it stands for`)
  part.setIn(['localizations', tag], part.createNode(texts))
  const lineEnd = start === text.length && !text.endsWith('\n') ? '\n' : ''
  return text.slice(0, start) + lineEnd + part.toString({ lineWidth: 0 }) + text.slice(end)
}

/** From the key to the end of its value; at the end of the text where there is none. */
function partOf(pairs: readonly Pair[], text: string): { readonly start: number; readonly end: number } {
  const index = pairs.findIndex(({ key }) => isScalar(key) && key.value === 'localizations')
  const [pair, next] = [pairs[index], pairs[index + 1]]
  if (!pair) return { start: text.length, end: text.length }
  const startOf = ({ key }: Pair) => (isScalar(key) && key.range?.[0]) || 0
  return { start: startOf(pair), end: next ? startOf(next) : text.length }
}
