import {
  Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml'

/** Characters of a list or a map that stands on one line. */
const mostOnLine = 60

/** Texts longer than this are broken where they hold a blank. */
const lineWidth = 120

/** Where something stands in a flow, which says how it is laid out. */
type Role = 'flow' | 'groups' | 'group' | 'steps' | 'step' | 'list' | 'entry' | 'value'

/** Keys with a blank line above them. */
const apart: ReadonlySet<string> = new Set([
  'events',
  'groups',
  'edges',
  'settings',
  'theme',
  'localizations',
])

/** Roles of the parts of a list. */
const roleInside: Partial<Record<Role, Role>> = { steps: 'step', list: 'entry' }

/** Lays a flow out: a step a line, short values on the line of their key. */
export function layOut(flow: Readonly<Record<string, unknown>>): string {
  const document = new Document(flow, { aliasDuplicateObjects: false })
  // Nothing between two commas is a mistake.
  visit(document, {
    Scalar(key, node) {
      if (typeof key === 'number' && node.value === null) node.source = 'null'
    },
    Pair(_, { key, value }) {
      if (isScalar(key) && key.value === 'value' && isScalar(value) && value.value === null)
        value.source = 'null'
    },
  })
  lay(document.contents as Node, 'flow')
  return document.toString({ lineWidth, nullStr: '', blockQuote: 'literal', flowCollectionPadding: true })
}

function lay(node: unknown, role: Role): void {
  if (isSeq(node)) {
    if (role === 'value' && fits(node)) node.flow = true
    else for (const item of node.items) lay(item, roleInside[role] ?? role)
  }
  if (!isMap(node)) return
  const isEntry = role === 'entry' && node.items.length > 1 && !node.has('then') && !node.has('buttons')
  if ((role === 'value' || isEntry) && fits(node)) {
    node.flow = true
    return
  }
  for (const [index, { key, value }] of (node.items as Pair<Scalar, unknown>[]).entries()) {
    const isSteps = isSeq(value) && holdsSteps(node, { key: String(key.value), role })
    const inside = isSteps ? 'steps' : roleOf(String(key.value), value, role)
    const isApart = role === 'flow' ? apart.has(String(key.value)) : role === 'groups' && index > 0
    if (isApart) key.spaceBefore = true
    lay(value, inside)
  }
}

/** Whether a list of this key holds the steps of a way. */
function holdsSteps(
  { items }: YAMLMap,
  { key, role }: { readonly key: string; readonly role: Role },
): boolean {
  if (role === 'entry') return key === 'then' || items.length === 1
  return role === 'step' && waysOfStep.has(key)
}

const waysOfStep: ReadonlySet<string> = new Set(['then', 'else', 'a', 'b'])

function roleOf(key: string, value: unknown, role: Role): Role {
  if (role === 'flow') return key === 'groups' ? 'groups' : key === 'events' ? 'list' : 'value'
  if (role === 'groups') return isMap(value) ? 'group' : 'steps'
  if (role === 'group') return key === 'steps' ? 'steps' : 'value'
  if (role === 'entry') return key === 'buttons' ? 'list' : 'value'
  return role === 'step' && (key === 'choices' || key === 'cases') ? 'list' : 'value'
}

/** Whether something without long texts is short enough for a line. */
function fits(node: unknown): boolean {
  return widthOf(node) <= mostOnLine
}

function widthOf(node: unknown): number {
  if (isScalar(node))
    return String(node.value).includes('\n') ? mostOnLine + 1 : String(node.value ?? '').length + 2
  if (isSeq(node)) return node.items.reduce((sum: number, item) => sum + widthOf(item), 2)
  if (!isMap(node)) return 0
  // Nothing behind a colon is easily overlooked on a line.
  if (node.items.some(({ value }) => isScalar(value) && value.value === null && value.source !== 'null'))
    return mostOnLine + 1
  return node.items.reduce((sum, { key, value }) => sum + widthOf(key) + widthOf(value) + 2, 2)
}
