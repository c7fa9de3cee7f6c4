import type * as Yaml from 'yaml'
import { lazyModule } from '../../lib/lazy-module.ts'
import { definitionLimits } from '../read-definition.ts'
import { readPlainNodes } from './read-plain-nodes.ts'
import type { Entry, FormProblem, ListNode, MapNode, Node, ScalarNode, Span } from './yaml-nodes.ts'

/** Largest texts, deepest nesting, and uses of anchors: a few lines could else stand for gigabytes. */
const most = Object.freeze({ characters: 2 * 1024 * 1024, levels: 64, aliases: 100 })

const yaml = lazyModule<typeof Yaml>('yaml')

class Refusal extends Error {
  readonly span: Span

  constructor(message: string, span: Span) {
    super(message)
    this.span = span
  }
}

/** The content of a YAML text, or the reasons why it can not be read. */
type ReadNodes = { readonly root: Node } | { readonly problems: readonly FormProblem[] }

/** Reads one document of YAML 1.2, without tags of its own. Never throws. */
export function readNodes(text: string): ReadNodes {
  if (text.length > most.characters) {
    const message = `has more than ${most.characters} characters`
    return { problems: [{ message, start: 0, end: 0 }] }
  }
  const plain = readPlainNodes(text, { levels: most.levels, values: definitionLimits.values })
  if (plain) return { root: plain }
  return readAnyNodes(text)
}

/** Reads a text by the library. */
export function readAnyNodes(text: string): ReadNodes {
  const whole = { start: 0, end: 0 }
  const refuse = (message: string, span: Span = whole) => ({ problems: [{ message, ...span }] })
  try {
    const document = parseBounded(text)
    const broken = [...document.errors, ...document.warnings].slice(0, 20)
    if (broken.length > 0) return { problems: broken.map((error) => problemOf(error, text.length)) }
    return { root: new NodeReader(text).read(document.contents, whole) }
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.message, error.span)
    return refuse('is nested too deeply')
  }
}

/**
 * As the library's `parseDocument`, but for a look at the bounds with each token: what is nested too deeply or has too many values would take minutes
 * and gigabytes before it could be refused. Keys that are there twice are found by the reader below, in a hundredth of the time.
 */
function parseBounded(text: string): Yaml.Document.Parsed {
  const { Lexer, Parser, Composer } = yaml()
  const parser = new Parser()
  const tokens: Yaml.CST.Token[] = []
  const counts = new Map(valueMarks.map((mark) => [mark, 0]))
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme))
    const span = { start: parser.offset, end: parser.offset }
    if (parser.stack.length > most.levels + besideLevels) throw tooDeep(span)
    const count = counts.get(lexeme)
    if (count === undefined) continue
    if (count >= definitionLimits.values) throw tooMany(span)
    counts.set(lexeme, count + 1)
  }
  tokens.push(...parser.end())
  const options = { prettyErrors: false, stringKeys: false, uniqueKeys: false }
  const [first, second] = new Composer(options).compose(tokens, true, text.length)
  if (second) throw new Refusal('holds more than one document', spanOf(second) as Span)
  return first as Yaml.Document.Parsed
}

/** Lexemes that come at most once for each value: the lexer's announcement of a scalar, and what stands before one that may be empty. */
const valueMarks = ['\x1f', '-', ':', '?', ',']

/** Parts that the parser has open beside lists and maps: the document, and a scalar. */
const besideLevels = 2

const tooDeep = (span: Span) => new Refusal(`must not lie deeper than ${most.levels} levels`, span)
const tooMany = (span: Span) => new Refusal(`must not hold more than ${definitionLimits.values} values`, span)

function problemOf({ message, pos: [start, end] }: Yaml.YAMLError, length: number): FormProblem {
  const [line = ''] = message.split('\n', 1)
  return { message: `is not valid YAML: ${line}`, start: Math.min(start, length), end: Math.min(end, length) }
}

class NodeReader {
  readonly #text: string
  readonly #anchors = new Map<string, unknown>()
  #values = 0
  #aliases = 0
  #levels = 0

  constructor(text: string) {
    this.#text = text
  }

  /** `around` is the place of what has none of its own. */
  read(node: unknown, around: Span): Node {
    const { isAlias, isMap, isScalar, isSeq } = yaml()
    const span = spanOf(node) ?? around
    this.#values += 1
    if (this.#values > definitionLimits.values) throw tooMany(span)
    if (isAlias(node)) return { ...this.#anchored(node.source, span), ...span }
    if (isScalar(node)) return this.#scalar(node, span)
    if (!isMap(node) && !isSeq(node))
      return { kind: 'scalar', value: null, source: '', sourceAt: undefined, ...span }
    this.#note(node, span)
    this.#levels += 1
    if (this.#levels > most.levels) throw tooDeep(span)
    const read = isMap(node) ? this.#map(node, span) : this.#list(node, span)
    this.#levels -= 1
    return read
  }

  #list(node: Yaml.YAMLSeq, span: Span): ListNode {
    return { kind: 'list', items: node.items.map((item) => this.read(item, span)), ...span }
  }

  #map(node: Yaml.YAMLMap, span: Span): MapNode {
    const entries = new Map<string, Entry>()
    for (const { key, value } of node.items) {
      const name = this.read(key, span)
      if (name.kind !== 'scalar') throw new Refusal('is a list or a map where a key is meant: quote it', name)
      if (entries.has(name.source)) throw new Refusal(`is there twice: ${name.source.slice(0, 60)}`, name)
      entries.set(name.source, { key: name, value: this.read(value, name) })
    }
    return { kind: 'map', entries, ...span }
  }

  #scalar(node: Yaml.Scalar, span: Span): ScalarNode {
    this.#note(node, span)
    const { value } = node
    const isPlainValue = value === null || typeof value === 'boolean' || Number.isFinite(value)
    const source = typeof value === 'string' ? value : (node.source ?? '')
    const sourceAt = [span.start, span.start + 1].find((start) => this.#text.startsWith(source, start))
    return {
      kind: 'scalar',
      value: isPlainValue ? (value as ScalarNode['value']) : source,
      source,
      sourceAt,
      ...span,
    }
  }

  #note(node: Yaml.Node & { readonly anchor?: string | undefined }, span: Span): void {
    if (node.tag && !node.tag.startsWith('tag:yaml.org,2002:'))
      throw new Refusal(`has the tag ${node.tag.slice(0, 60)}, and tags mean nothing here: delete it`, span)
    if (node.anchor) this.#anchors.set(node.anchor, node)
  }

  #anchored(name: string, span: Span): Node {
    const node = this.#anchors.get(name)
    if (node === undefined)
      throw new Refusal(`names an anchor that is not above: *${name.slice(0, 60)}`, span)
    this.#aliases += 1
    if (this.#aliases > most.aliases) throw new Refusal(`uses anchors more than ${most.aliases} times`, span)
    return this.read(node, span)
  }
}

function spanOf(node: unknown): Span | undefined {
  const { range } = Object(node) as { readonly range?: Yaml.Range | null }
  return range ? { start: range[0], end: range[1] } : undefined
}
