import type * as ast from 'acorn'
import type { ObjectExpression, Property } from 'acorn'
import { NeedsSandboxError, NotCodeError } from '../outcome.ts'
import { evaluateCall } from './calls.ts'
import { charge, type Data, type DataObject, isList, isPrimitive, Opaque, toText, weight } from './data.ts'
import { evaluateMember, readProperty, skipped, spreadable } from './operands.ts'
import { binaryOperators, unaryOperators } from './operators.ts'
import { find, type ScopeFrame, sometimes } from './scope-frame.ts'

type Rules = {
  readonly [Type in ast.Expression['type']]?: (
    node: Extract<ast.Expression, { type: Type }>,
    frame: ScopeFrame,
  ) => Data
}

/** A function is only named: nothing here calls one of the code itself, so nothing is done twice. */
const someFunction = () => new Opaque('function', 'A function')

/** Evaluation of each kind of expression. One that is missing here needs the sandbox. */
const rules: Rules = {
  ArrayExpression: ({ elements }, frame) => spreadable(elements, frame),
  ArrowFunctionExpression: someFunction,
  AwaitExpression: ({ argument }, frame) => {
    const value = evaluateExpression(argument, frame)
    if (isThenable(value)) throw new NeedsSandboxError('A promise of the code itself is not available')
    return value
  },
  BinaryExpression: ({ left, operator, right }, frame) => {
    const apply = binaryOperators.get(operator)
    if (!apply) throw new NeedsSandboxError(`The operator ${operator} is not available`)
    return apply(
      evaluateExpression(left as ast.Expression, frame),
      evaluateExpression(right, frame),
      frame.budget,
    )
  },
  CallExpression: evaluateCall,
  ChainExpression: ({ expression }, frame) => {
    const value = evaluateExpression(expression, frame)
    return value === skipped ? undefined : value
  },
  ConditionalExpression: ({ test, consequent, alternate }, frame) =>
    evaluateExpression(evaluateExpression(test, frame) ? consequent : alternate, frame),
  FunctionExpression: someFunction,
  Identifier: ({ name }, frame) => {
    const found = find(name, frame)
    if (!found) throw new NotCodeError(`${name} is not defined`)
    return found.value
  },
  Literal: ({ value, bigint, regex }) => {
    if (bigint || regex) throw new NeedsSandboxError('Not a plain literal')
    return value as Data
  },
  LogicalExpression: ({ left, operator, right }, frame) => {
    const first = evaluateExpression(left, frame)
    if (operator === '||') return first || evaluateExpression(right, frame)
    if (operator === '&&') return first && evaluateExpression(right, frame)
    return first ?? evaluateExpression(right, frame)
  },
  MemberExpression: (node, frame) => {
    const { object, key } = evaluateMember(node, frame)
    return object === skipped ? skipped : readProperty(object, key)
  },
  ObjectExpression: evaluateObject,
  SequenceExpression: ({ expressions }, frame) =>
    expressions.reduce<Data>((_last, expression) => evaluateExpression(expression, frame), undefined),
  TemplateLiteral: ({ quasis, expressions }, frame) => {
    let text = ''
    quasis.forEach(({ value }, index) => {
      const expression = expressions[index]
      const shown = expression ? toText(evaluateExpression(expression, frame), frame.budget) : ''
      const added = (value.cooked ?? '') + shown
      charge(frame.budget, weight.visit + added.length)
      text += added
    })
    return text
  },
  ThisExpression: (_node, frame) => find('this', frame)?.value,
  UnaryExpression: ({ operator, argument }, frame) => {
    if (operator === 'typeof' && argument.type === 'Identifier') {
      const found = find(argument.name, frame)
      if (!found) return 'undefined'
      if (found.value instanceof Opaque && sometimes.has(found.value.name)) {
        throw new NeedsSandboxError(`Whether there is ${argument.name} is not known here`)
      }
    }
    const apply = unaryOperators.get(operator)
    if (!apply) throw new NeedsSandboxError(`The operator ${operator} is not available`)
    return apply(evaluateExpression(argument, frame), frame.budget)
  },
}

/** Evaluates an expression to what JavaScript would make of it. */
export function evaluateExpression(node: ast.Expression, frame: ScopeFrame): Data {
  const rule = rules[node.type] as ((node: ast.Expression, frame: ScopeFrame) => Data) | undefined
  if (!rule) throw new NeedsSandboxError(`${node.type} is not available`)
  frame.budget.spend(weight.visit)
  return rule(node, frame)
}

function isThenable(data: Data): boolean {
  if (isPrimitive(data) || isList(data) || data instanceof Opaque) return false
  return Object.hasOwn(data, 'then') && data['then'] instanceof Opaque
}

/** Makes the object that a literal describes. */
function evaluateObject({ properties }: ObjectExpression, frame: ScopeFrame): Data {
  const object: DataObject = Object.create(null)
  for (const property of properties) {
    if (property.type === 'SpreadElement' || property.kind !== 'init' || setsPrototype(property)) {
      throw new NeedsSandboxError('Not a plain object')
    }
    const key = keyOf(property, frame)
    charge(frame.budget, weight.visit + key.length)
    object[key] = frame.evaluate(property.value, frame)
  }
  return object
}

function keyOf({ computed, key }: Property, frame: ScopeFrame): string {
  if (!computed && key.type === 'Identifier') return key.name
  return toText(frame.evaluate(key, frame), frame.budget)
}

function setsPrototype({ computed, shorthand, method, key }: Property): boolean {
  if (computed || shorthand || method) return false
  return key.type === 'Identifier'
    ? key.name === '__proto__'
    : key.type === 'Literal' && key.value === '__proto__'
}
