import type { Expression, SpreadElement } from 'acorn'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Data, weight } from '../../../../src/engine/javascript/interpreter/data.ts'
import { runProgram } from '../../../../src/engine/javascript/interpreter/run.ts'
import { createParser } from '../../../../src/engine/javascript/parse.ts'
import { expression } from '../arbitrary-expression.ts'

const nothing: Data = []
const nested: Data = [nothing, [nothing, { a: nothing, b: {} }], [[[nothing]]], {}, undefined, '']

/** What the names of an expression stand for: much, and much that takes no characters. */
const values: Record<string, Data> = {
  A: Array.from({ length: 30 }, () => nested),
  B: '"\\\u0001'.repeat(100),
  C: Array.from({ length: 200 }, (_, nth) => (nth % 3 ? '' : null)),
  D: { a: nested, length: 2 },
}

/** What an expression did: lists, objects, elements and parts of the code that were met, and characters made. */
interface Work {
  visits: number
  characters: number
}

/** Counts what is done for an expression by what a whole engine makes of each of its parts. */
class Counter {
  readonly work: Work = { visits: 0, characters: 0 }
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  count(node: Expression | SpreadElement): unknown {
    this.work.visits += 1
    switch (node.type) {
      case 'LogicalExpression': {
        const left = this.count(node.left)
        const isDone =
          node.operator === '??'
            ? left !== null && left !== undefined
            : (node.operator === '||') === Boolean(left)
        return isDone ? left : this.count(node.right)
      }
      case 'ConditionalExpression':
        return this.count(this.count(node.test) ? node.consequent : node.alternate)
      case 'ArrayExpression':
        for (const element of node.elements) if (element) this.count(element)
        return this.valueOf(node)
      case 'BinaryExpression':
        return this.#make(node, [node.left as Expression, node.right], node.operator === '+')
      case 'TemplateLiteral':
        return this.#make(node, node.expressions, true)
      case 'CallExpression': {
        const { callee, arguments: given } = node
        const self = callee.type === 'MemberExpression' ? [callee.object as Expression] : []
        return this.#make(node, [...self, ...given], /\.join\(|^JSON|^String/.test(this.#textOf(node)))
      }
      default:
        return this.valueOf(node)
    }
  }

  /** Writes a value out, as whoever gets it does. */
  write(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    this.work.characters += JSON.stringify(value).length
    this.#visit(value)
  }

  #visit(value: unknown): void {
    this.work.visits += 1
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) this.#visit(inner)
  }

  /** Counts what a part is made of, and where it is a text that is new, all that is written into it. */
  #make(node: Expression, parts: readonly (Expression | SpreadElement)[], isWritten: boolean): unknown {
    const given = parts.map((part) => this.count(part))
    const value = this.valueOf(node)
    if (!isWritten || typeof value !== 'string') return value
    this.work.characters += value.length
    const text = this.#textOf(node)
    const isJson = text.startsWith('JSON')
    // It writes its first argument alone.
    for (const part of text.startsWith('String(') ? given.slice(0, 1) : given) {
      // As a text, an object shows nothing of what it holds.
      if (Array.isArray(part)) this.#visit(isJson ? part : part.flat(9).map(String))
    }
    return value
  }

  valueOf(node: Expression | SpreadElement): unknown {
    const text = node.type === 'SpreadElement' ? `[${this.#textOf(node)}]` : this.#textOf(node)
    return new Function(...Object.keys(values), `return (${text})`)(...Object.values(values))
  }

  #textOf({ start, end }: { readonly start: number; readonly end: number }): string {
    return this.#source.slice(start, end)
  }
}

/** What evaluating an expression was charged, and what it did; undefined where the sandbox does it, or it throws. */
function workOf(expression: string): (Work & { readonly charged: number }) | undefined {
  const source = `return ${expression}`
  const { program } = createParser({ isAsync: false })(source, { spend: () => {} })
  const [statement] = program?.body ?? []
  if (!program || statement?.type !== 'ReturnStatement' || !statement.argument) return undefined
  let charged = 0
  const budget = {
    spend(amount: number) {
      charged += amount
    },
  }
  const variable = (name: string) => (Object.hasOwn(values, name) ? { value: values[name] } : undefined)
  const evaluated = runProgram(program, { variable, budget, resultBudget: budget })
  if (!evaluated.ok) return undefined
  const counter = new Counter(source)
  counter.count(statement.argument)
  counter.write(evaluated.value)
  return { ...counter.work, charged }
}

/** JSON writes some characters as six. */
const longestCharacter = 6

function expectPaid(work: ReturnType<typeof workOf>): void {
  if (!work) return
  expect(work.charged).toBeGreaterThanOrEqual(weight.visit * work.visits)
  expect(longestCharacter * work.charged).toBeGreaterThanOrEqual(work.characters)
}

describe('what evaluating is charged', () => {
  it('is no less than what is done, whatever the expression', () => {
    fc.assert(
      fc.property(expression, (source) => expectPaid(workOf(source.replaceAll(/\{\{(\w)\}\}/g, '$1')))),
      { numRuns: 1500 },
    )
  })

  it.each([
    ['[A, A, A]', 1_200],
    ['[[A, A], [A, A], { x: A, y: [A] }]', 2_500],
    ['[C, C, C, C]', 800],
    ['[[], [], {}, [{}]]', 6],
    ['JSON.stringify([D, D])', 20],
    ['[B, B, B] + ""', 6],
    ['[C, C] + ""', 400],
    ['`${C}${C}`', 400],
  ])('counts lists and objects as often as they are met in %s', (source, visits) => {
    const work = workOf(source)
    expect(work?.visits).toBeGreaterThanOrEqual(visits)
    expectPaid(work)
  })
})
