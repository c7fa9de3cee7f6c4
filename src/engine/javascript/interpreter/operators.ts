import {
  type Budget,
  charge,
  chargeNumberReading,
  type Data,
  isPrimitive,
  Opaque,
  type Primitive,
  toNumber,
  toPrimitive,
} from './data.ts'

type Binary = (left: Data, right: Data, budget: Budget) => Data

function onNumbers(compute: (left: number, right: number) => number): Binary {
  return (left, right, budget) => compute(toNumber(left, budget), toNumber(right, budget))
}

/** Orders as JavaScript does: two texts by their characters, anything else as numbers. */
function onOrder(holds: (left: never, right: never) => boolean): Binary {
  return (left, right, budget) => {
    const [first, second] = [toPrimitive(left, budget), toPrimitive(right, budget)]
    chargeCoercion(first, second, budget)
    return holds(first as never, second as never)
  }
}

/** Long texts may differ only at their ends. */
function chargeComparison(left: Data, right: Data, budget: Budget): void {
  if (typeof left === 'string' && typeof right === 'string') {
    charge(budget, Math.min(left.length, right.length) / 16)
  }
}

/** Two texts are compared as they are; one beside anything else is read as a number. */
function chargeCoercion(left: Primitive, right: Primitive, budget: Budget): void {
  if (typeof left === 'string' && typeof right === 'string') {
    chargeComparison(left, right, budget)
  } else {
    chargeNumberReading(budget, left)
    chargeNumberReading(budget, right)
  }
}

function strictlyEqual(left: Data, right: Data, budget: Budget): boolean {
  chargeComparison(left, right, budget)
  return left === right
}

function add(left: Data, right: Data, budget: Budget): Data {
  const [first, second] = [toPrimitive(left, budget), toPrimitive(right, budget)]
  if (typeof first !== 'string' && typeof second !== 'string') return Number(first) + Number(second)
  const [head, tail] = [String(first), String(second)]
  charge(budget, head.length + tail.length)
  return head + tail
}

function looselyEqual(left: Data, right: Data, budget: Budget): boolean {
  if (!isPrimitive(left) && !isPrimitive(right)) return left === right
  if (left === null || left === undefined || right === null || right === undefined)
    return (left ?? null) === (right ?? null)
  return sameLoosely(toPrimitive(left, budget), toPrimitive(right, budget), budget)
}

function sameLoosely(left: Primitive, right: Primitive, budget: Budget): boolean {
  chargeCoercion(left, right, budget)
  // biome-ignore lint/suspicious/noDoubleEquals: this is what `==` means in flow code
  return left == right
}

/** Operators on evaluated operands. One that is missing here needs the sandbox. */
export const binaryOperators: ReadonlyMap<string, Binary> = new Map<string, Binary>([
  ['+', add],
  ['-', onNumbers((a, b) => a - b)],
  ['*', onNumbers((a, b) => a * b)],
  ['/', onNumbers((a, b) => a / b)],
  ['%', onNumbers((a, b) => a % b)],
  ['**', onNumbers((a, b) => a ** b)],
  ['|', onNumbers((a, b) => a | b)],
  ['&', onNumbers((a, b) => a & b)],
  ['^', onNumbers((a, b) => a ^ b)],
  ['<<', onNumbers((a, b) => a << b)],
  ['>>', onNumbers((a, b) => a >> b)],
  ['>>>', onNumbers((a, b) => a >>> b)],
  ['<', onOrder((a, b) => a < b)],
  ['<=', onOrder((a, b) => a <= b)],
  ['>', onOrder((a, b) => a > b)],
  ['>=', onOrder((a, b) => a >= b)],
  ['===', strictlyEqual],
  ['!==', (left, right, budget) => !strictlyEqual(left, right, budget)],
  ['==', looselyEqual],
  ['!=', (left, right, budget) => !looselyEqual(left, right, budget)],
])

type Unary = (operand: Data, budget: Budget) => Data

export const unaryOperators: ReadonlyMap<string, Unary> = new Map<string, Unary>([
  ['+', (operand, budget) => toNumber(operand, budget)],
  ['-', (operand, budget) => -toNumber(operand, budget)],
  ['~', (operand, budget) => ~toNumber(operand, budget)],
  ['!', (operand) => !operand],
  ['void', () => undefined],
  ['typeof', (operand) => (operand instanceof Opaque ? operand.kind : typeof operand)],
])
