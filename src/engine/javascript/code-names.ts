import type { AnyNode } from 'acorn'
import { parseStatements } from './parse.ts'

/** Names that code refers to, as far as can be seen without running it. */
export interface CodeNames {
  /** Names that the code does not declare itself; one that it looks for by `typeof` first counts as declared. */
  readonly free: ReadonlySet<string>
  /** Whether it has a loop whose condition is always true, and that nothing inside leaves. */
  readonly loopsForever: boolean
}

/** Reads the names of code, which is the body of an async function; undefined for what can't be parsed, or is long. */
export function namesInCode(source: string): CodeNames | undefined {
  const program = parseStatements(source) ?? parseStatements(`return ${source}`)
  if (!program) return undefined
  const survey = new Survey()
  survey.visit(program)
  return { free: survey.free(), loopsForever: survey.loopsForever }
}

/** Keys of nodes that hold no references: names of members, labels and keys. */
const silentKeys: Readonly<Record<string, readonly string[]>> = {
  MemberExpression: ['property'],
  Property: ['key'],
  MethodDefinition: ['key'],
  PropertyDefinition: ['key'],
  LabeledStatement: ['label'],
  BreakStatement: ['label'],
  ContinueStatement: ['label'],
  MetaProperty: ['meta', 'property'],
}

/** Keys of nodes that hold names which are declared there. */
const declaringKeys: Readonly<Record<string, readonly string[]>> = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  ClassDeclaration: ['id'],
  ClassExpression: ['id'],
  CatchClause: ['param'],
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

class Survey {
  loopsForever = false
  readonly #used = new Set<string>()
  readonly #declared = new Set(['arguments', 'undefined'])

  free(): Set<string> {
    return new Set([...this.#used].filter((name) => !this.#declared.has(name)))
  }

  /** Without recursion of its own: the tree is as deep as its author made it. */
  visit(root: AnyNode): void {
    const open: AnyNode[] = [root]
    for (let node = open.pop(); node; node = open.pop()) {
      if (node.type === 'Identifier') this.#used.add(node.name)
      if (isEndless(node)) this.loopsForever = true
      if (node.type === 'UnaryExpression' && node.operator === 'typeof')
        declareIn(node.argument, this.#declared)
      const declaring = declaringKeys[node.type] ?? []
      for (const [key, child] of childrenOf(node)) {
        if (isSilent(node, key)) continue
        if (declaring.includes(key)) declareIn(child, this.#declared)
        open.push(child)
      }
    }
  }
}

function isSilent(node: AnyNode, key: string): boolean {
  const isComputed = 'computed' in node && node.computed === true
  return !isComputed && silentKeys[node.type]?.includes(key) === true
}

/** Every name in a pattern; those of its defaults are taken for declared too. */
function declareIn(pattern: AnyNode, declared: Set<string>): void {
  const open: AnyNode[] = [pattern]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'Identifier') declared.add(node.name)
    for (const [key, child] of childrenOf(node)) if (!isSilent(node, key)) open.push(child)
  }
}

function childrenOf(node: AnyNode): [string, AnyNode][] {
  const children: [string, AnyNode][] = []
  for (const key in node) {
    const value = (node as unknown as Record<string, unknown>)[key]
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) children.push([key, child])
  }
  return children
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

function isEndless(node: AnyNode): boolean {
  const isLoop =
    node.type === 'WhileStatement' || node.type === 'DoWhileStatement' || node.type === 'ForStatement'
  if (!isLoop) return false
  const { test } = node
  const isAlways = !test || (test.type === 'Literal' && Boolean(test.value))
  return isAlways && !isLeft(node.body)
}

const leaving = new Set(['BreakStatement', 'ReturnStatement', 'ThrowStatement'])

/**
 * Whether anything inside may leave the loop. A break of a nested loop counts too: only loops that certainly never end
 * are reported.
 */
function isLeft(body: AnyNode): boolean {
  const open: AnyNode[] = [body]
  for (let node = open.pop(); node; node = open.pop()) {
    if (leaving.has(node.type)) return true
    if (!functionTypes.has(node.type)) for (const [, child] of childrenOf(node)) open.push(child)
  }
  return false
}
