import { compileYamlFlow } from '../../definition/yaml-form/compile-yaml-flow.ts'
import type { Declared, NamesOfText, Occurrence, TextRange } from './occurrence.ts'
import { variablesNamedIn } from './placeholders.ts'

/** The names of variables and groups in a flow in YAML; none while the text is no YAML. */
export function namesInYaml(text: string): NamesOfText {
  const { declarations, uses } = compileYamlFlow(text)
  const declared: Declared[] = []
  const found = new Map<number, Occurrence>()
  const add = (one: Pick<Occurrence, 'kind' | 'called' | 'isDeclaration'>, span: TextRange | undefined) => {
    const place = span && writtenAt(text, span, one.called)
    if (!place) return
    const by = declared.some(({ kind, name }) => kind === one.kind && name === one.called) ? 'name' : 'id'
    found.set(place.start, { ...one, ...place, by })
  }
  for (const { kind, key, id, name, at } of declarations) {
    const span = writtenAt(text, at.key, key) ?? at.key
    // A key that is neither stands for both in this text.
    for (const called of new Set([id, key === name ? id : key]))
      declared.push({ kind, id: called, name, span })
    add({ kind, called: key, isDeclaration: true }, at.key)
    add({ kind, called: id, isDeclaration: true }, at.id)
    add({ kind, called: name, isDeclaration: true }, at.name)
  }
  for (const { kind, called, ...span } of uses) add({ kind, called, isDeclaration: false }, span)
  for (const { name, at } of variablesNamedIn(text, (written) => written))
    if (!found.has(at.start))
      found.set(at.start, {
        ...{ kind: 'variable', by: 'name', called: name, isDeclaration: false, form: 'yaml inside' },
        ...at,
      })
  return { occurrences: [...found.values()], declared }
}

/** Where a word stands in a span, between its quotes, and how; undefined where an anchor or an escape stands for it. */
function writtenAt(
  text: string,
  { start, end }: TextRange,
  called: string,
): (TextRange & Pick<Occurrence, 'form'>) | undefined {
  const written = text.slice(start, end)
  if (written === called) {
    const isWhole = /(?:^|[:,{[-])\s*$/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))
    return { start, end, form: isWhole && isEnd(text, end) ? 'yaml' : 'yaml inside' }
  }
  if (written.slice(1, -1) !== called) return undefined
  return { start: start + 1, end: end - 1, form: written.startsWith("'") ? 'yaml quoted' : 'json' }
}

const isEnd = (text: string, end: number) => /^\s*(?:[:,}\]\n]|#|$)/.test(text.slice(end, end + 200))

/** The type of the block that an offset lies in; undefined outside of all. */
export function blockTypeInYaml(text: string, offset: number): string | undefined {
  const { definition, spanOf } = compileYamlFlow(text)
  const { groups = [] } = Object(definition) as { groups?: { blocks: { type: unknown }[] }[] }
  const [nearest] = groups
    .flatMap(({ blocks }, group) =>
      blocks.map(({ type }, index) => ({
        type: String(type),
        ...spanOf(`/groups/${group}/blocks/${index}`),
      })),
    )
    .filter(({ start, end }) => start <= offset && offset <= end)
    .sort((a, b) => a.end - a.start - (b.end - b.start))
  return nearest?.type
}
