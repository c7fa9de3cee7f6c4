import type { ArrowFunctionExpression, BlockStatement, Identifier, Pattern } from 'acorn'
import { type Data, Opaque } from './data.ts'
import type { ScopeFrame } from './scope-frame.ts'
import { checkBody, runCheckedBody } from './statements.ts'

/** An arrow function of the code itself. Only methods of lists call it. */
export class Closure extends Opaque {
  /** `depth` is that of the place where it is called: a function may be handed to itself. */
  readonly call: (args: readonly Data[], depth: number) => Data

  constructor(call: Closure['call']) {
    super('function', 'A function')
    this.call = call
  }
}

/** An arrow function with plain parameters; undefined for one that only the sandbox can call. */
export function createClosure(node: ArrowFunctionExpression, frame: ScopeFrame): Closure | undefined {
  if (!isPlainArrow(node)) return undefined
  const names = (node.params as Identifier[]).map(({ name }) => name)
  const { body } = node
  if (body.type === 'BlockStatement') {
    // Such a variable begins with what the parameter holds.
    if (declaresAny(body, new Set(names))) return undefined
    checkBody(body.body)
  }
  return new Closure((args, depth) => {
    const parameters = new Map(names.map((name, index) => [name, { isReady: true, value: args[index] }]))
    const inner = { ...frame, locals: [parameters, ...frame.locals], depth }
    return body.type === 'BlockStatement' ? runCheckedBody(body.body, inner) : frame.evaluate(body, inner)
  })
}

function declaresAny({ body }: BlockStatement, names: ReadonlySet<string>): boolean {
  const declared = body.flatMap((statement) =>
    statement.type === 'VariableDeclaration' ? statement.declarations : [],
  )
  return declared.some(({ id }) => id.type === 'Identifier' && names.has(id.name))
}

/** Whether an arrow function can be called here at all. */
function isPlainArrow({ async, params }: ArrowFunctionExpression): boolean {
  return !async && params.every(isIdentifier)
}

const isIdentifier = ({ type }: Pattern) => type === 'Identifier'
