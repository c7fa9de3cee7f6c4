import { at, isNull, type MapNode, type Node, nameOf, scalarText } from '../yaml-text/yaml-nodes.ts'
import { knownTypes, typesByWord } from './block-shapes.ts'
import { buildAsk } from './build-ask.ts'
import { buildCases, buildHandoff, buildIf, buildSplit } from './build-branches.ts'
import { buildRequest, buildSet } from './build-calls.ts'
import { buildRaw, buildText, buildTyped } from './build-typed.ts'
import type { Draft } from './draft.ts'
import type { Built, WrittenStep } from './read-way.ts'

type Build = (step: WrittenStep, draft: Draft) => readonly Built[]

const typed =
  (type: string): Build =>
  (step, draft) => [buildTyped(step, type, draft)]

/** Steps by the key that says what they are. */
const kinds: ReadonlyMap<string, Build> = new Map<string, Build>([
  ...knownTypes.map((type) => [type, typed(type)] as const),
  ['say', (step, draft) => [buildText(step.main, step, draft)]],
  ['ask', buildAsk],
  ['as', buildAsk],
  ['choices', buildAsk],
  ['set', buildSet],
  ['if', buildIf],
  ['cases', buildCases],
  ...Array.from(typesByWord, ([word, type]) => [word, typed(type)] as const),
  ['request', buildRequest],
  ['handoff', buildHandoff],
  ['split', buildSplit],
  ['type', buildRaw],
])

/** The keys by which a step says what it is. */
export const stepKeys: readonly string[] = [...kinds.keys(), 'go', 'end']

/** The blocks that a step stands for; none where it is not understood, which is reported. */
export function buildStep(node: Node, groupId: string, draft: Draft): readonly Built[] {
  if (node.kind === 'scalar' && !isNull(node)) return [buildText(node, { groupId }, draft)]
  if (node.kind !== 'map') {
    draft.report(node, `a step is a text or a map, such as "ask: …", and not ${nameOf(node)}`)
    return []
  }
  const key = [...node.entries.keys()].find((name) => kinds.has(name) || isNamespaced(name))
  if (key === undefined) {
    reportUnknownStep(node, draft)
    return []
  }
  const build = kinds.get(key) ?? typed(key)
  return build({ map: node, key, main: at(node, key) as Node, groupId }, draft)
}

/** Types of blocks that an operator has added: `acme/slack message`. */
const isNamespaced = (name: string) => /^[a-z][a-z0-9-]*\/[a-z]/.test(name)

function reportUnknownStep(node: MapNode, draft: Draft): void {
  const [[key, entry] = ['', undefined]] = node.entries
  const isText = node.entries.size === 1 && scalarText(entry?.value) !== undefined && /[A-Z\s]/.test(key)
  const remedy = isText
    ? 'a text that holds ": " needs quotes'
    : 'a step begins with ask, say, set, if, go, … or the type of a block (docs/yaml.md)'
  draft.reportUnknown(entry?.key ?? node, `"${key.slice(0, 60)}" is no step: ${remedy}`, stepKeys)
}
