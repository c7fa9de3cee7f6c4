import { accountsFor, type Context, placeholders, type Suggestion, thingsOf } from './complete.ts'
import { kindNamedBy } from './json-names.ts'
import { openPlaceholder } from './placeholders.ts'
import { asYaml } from './rename.ts'
import { blockTypeInYaml } from './yaml-names.ts'

/** Keys that name a group, and those that name a variable. */
const kindsByKey: readonly (readonly [RegExp, 'group' | 'variable'])[] = [
  [/^(?:to|go|jump|start|else|then|a|b|group)$/, 'group'],
  [/^(?:into|if|when)$/, 'variable'],
]

/** Characters of a line that are looked at. */
const longestLine = 2000

/** Suggestions for an offset of a flow in YAML: names of variables and groups, and accounts. */
export function completeYaml(text: string, offset: number, context: Context): readonly Suggestion[] {
  const from = text.lastIndexOf('\n', offset - 1) + 1
  const before = text.slice(Math.max(from, offset - longestLine), offset)
  const open = openPlaceholder(before)
  if (open !== undefined)
    return placeholders(text, { start: offset - before.length + open, end: offset }, context.names)
  const { key, typed } = keyAt(text, from, before) ?? {}
  if (key === undefined || typed === undefined) return []
  const kind = kindNamedBy(key) ?? kindsByKey.find(([pattern]) => pattern.test(key))?.[1]
  const wanted =
    key === 'credentialsId'
      ? accountsFor(blockTypeInYaml(text, offset) ?? '', context)
      : thingsOf(kind, context.names)
  const [rest = ''] = /^[^\n,:#{}[\]]*/.exec(text.slice(offset)) ?? []
  const end = isCondition(key) ? offset : offset + rest.trimEnd().length
  return wanted.map(({ label, detail }) => ({
    ...{ label, detail, text: asYaml(label) },
    ...{ start: offset - typed.length, end },
  }))
}

const isCondition = (key: string) => key === 'if' || key === 'when'

/** The key whose value is typed at the end of a line, and what of it is there; that of a choice is `to`, as of a way. */
function keyAt(text: string, from: number, before: string) {
  const [, key, value = ''] = /(?:^|[\s{,])([\w-]+):\s+["']?([^"'{}[\],:]*)$/.exec(before) ?? []
  const around = keyAround(text, from, before)
  const [, condition = '', started = ''] = /\b(if|when):\s+(.*)$/.exec(before) ?? []
  if (condition !== '') return { key: condition, typed: /(?:.*\b(?:and|or)\s+|^)(.*)$/.exec(started)?.[1] }
  if (around === 'choices' || around === 'buttons') {
    const [, way] = /^\s*- .*:\s+([^:]*)$/.exec(before) ?? []
    if (way !== undefined)
      return { key: key && kindsByKey.some(([one]) => one.test(key)) ? key : 'to', typed: way }
  }
  if (key !== undefined && key !== 'set') return { key, typed: value }
  // Keys of these maps are variables.
  const [, inLine] = /\b(?:set|into):\s*\{(?:.*,)?\s*([^:{},]*)$/.exec(before) ?? []
  if (inLine !== undefined) return { key: 'into', typed: inLine }
  const isMap = around === 'set' || around === 'into'
  return isMap && !before.includes(':') ? { key: 'into', typed: before.trimStart() } : undefined
}

/** The key of the map or list that a line stands in, by what is indented less above it. */
function keyAround(text: string, from: number, before: string): string | undefined {
  const indent = /^\s*/.exec(before)?.[0].length ?? 0
  const above = text.slice(0, from).split('\n').reverse()
  const opening = above.find((line) => line.trim() !== '' && (/^\s*/.exec(line)?.[0].length ?? 0) < indent)
  return /([\w-]+):\s*(?:#.*)?$/.exec(opening ?? '')?.[1]
}
