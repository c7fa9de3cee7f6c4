import type { ModuleDeclaration, Statement, VariableDeclaration } from 'acorn'
import { NeedsSandbox } from '../outcome.ts'
import type { Data } from './data.ts'
import type { Local, ScopeFrame } from './scope-frame.ts'

/** Blocks that nest deeper are left to the sandbox. */
const maxDepth = 100

/** What a statement that returned has returned. */
interface Returned {
  readonly value: Data
}

type Body = readonly (Statement | ModuleDeclaration)[]

/** Runs the body of a function, and gives what it returns. */
export function runBody(body: Body, frame: ScopeFrame): Data {
  checkBody(body)
  return runCheckedBody(body, frame)
}

/** Throws at a body that only the sandbox can run. */
export function checkBody(body: Body): void {
  for (const statement of body) checkStatement(statement as Statement, 0)
}

/** As `runBody`, for a body that is run many times. */
export function runCheckedBody(body: Body, frame: ScopeFrame): Data {
  return runBlock(body as readonly Statement[], frame)?.value
}

/** Refuses a body before any of it runs: functions and `var` are in reach above the line that declares them. */
function checkStatement(statement: Statement, depth: number): void {
  if (!known.has(statement.type)) throw new NeedsSandbox(`${statement.type} is not available`)
  if (depth > maxDepth) throw new NeedsSandbox('Blocks are nested too deeply')
  if (statement.type === 'VariableDeclaration') checkDeclaration(statement, depth)
  for (const inner of statementsIn(statement)) checkStatement(inner, depth + 1)
}

function statementsIn(statement: Statement): readonly Statement[] {
  if (statement.type === 'BlockStatement') return statement.body
  if (statement.type !== 'IfStatement') return []
  const { consequent, alternate } = statement
  return alternate ? [consequent, alternate] : [consequent]
}

const known: ReadonlySet<string> = new Set<Statement['type']>([
  'BlockStatement',
  'EmptyStatement',
  'ExpressionStatement',
  'IfStatement',
  'ReturnStatement',
  'VariableDeclaration',
])

function checkDeclaration({ kind, declarations }: VariableDeclaration, depth: number): void {
  const isPlain = kind === 'const' || kind === 'let' || (kind === 'var' && depth === 0)
  if (!isPlain || declarations.some(({ id }) => id.type !== 'Identifier')) {
    throw new NeedsSandbox('This kind of declaration is not available')
  }
}

function runBlock(statements: readonly Statement[], outer: ScopeFrame): Returned | undefined {
  const block = new Map<string, Local>()
  outer.budget.spend(statements.length)
  const frame = { ...outer, locals: [block, ...outer.locals] }
  for (const statement of statements) if (statement.type === 'VariableDeclaration') declare(statement, block)
  for (const statement of statements) {
    const returned = runStatement(statement, frame, block)
    if (returned) return returned
  }
  return undefined
}

function runStatement(
  statement: Statement,
  frame: ScopeFrame,
  block: Map<string, Local>,
): Returned | undefined {
  switch (statement.type) {
    case 'ExpressionStatement':
      frame.evaluate(statement.expression, frame)
      return undefined
    case 'ReturnStatement':
      return { value: statement.argument ? frame.evaluate(statement.argument, frame) : undefined }
    case 'VariableDeclaration':
      initialise(statement, frame, block)
      return undefined
    case 'BlockStatement':
      return runBlock(statement.body, frame)
    case 'IfStatement': {
      const branch = frame.evaluate(statement.test, frame) ? statement.consequent : statement.alternate
      return branch ? runBlock([branch], frame) : undefined
    }
    default:
      return undefined
  }
}

function declare({ kind, declarations }: VariableDeclaration, block: Map<string, Local>): void {
  for (const { id } of declarations) {
    if (id.type === 'Identifier') block.set(id.name, { isReady: kind === 'var', value: undefined })
  }
}

function initialise(
  { kind, declarations }: VariableDeclaration,
  frame: ScopeFrame,
  block: Map<string, Local>,
): void {
  for (const { id, init } of declarations) {
    // A `var` without a value is as it was.
    if (id.type !== 'Identifier' || (kind === 'var' && !init)) continue
    block.set(id.name, { isReady: true, value: init ? frame.evaluate(init, frame) : undefined })
  }
}
