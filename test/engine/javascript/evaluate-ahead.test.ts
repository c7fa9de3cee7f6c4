import { describe, expect, it } from 'vitest'
import type { CodeJob, CodeResult } from '../../../src/engine/model/effect-payloads.ts'
import type { Effect } from '../../../src/engine/model/effects.ts'
import { parseTemplate } from '../../../src/engine/templates/parse-template.ts'
import { renderWithBudget } from '../../../src/engine/templates/render-with-budget.ts'
import { renderText } from '../../../src/engine/templates/text-template.ts'
import { Variables, VariableTable } from '../../../src/engine/values/variables.ts'
import { bubble, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { defaultLimits } from '../../support/limits.ts'
import { walkFlow } from '../../support/walk-flow.ts'

const answered = (value: unknown): CodeResult => ({ ok: true, value, assigned: [] })
const jobOf = (body: string): CodeJob => ({
  body,
  isAsync: false,
  globals: [],
  mayAssign: false,
  mayFetch: false,
})

describe('code that only the sandbox can run', () => {
  it('shows what it comes to, wherever it stands', () => {
    const blocks: Json[] = [bubble('b', '{{=new Map().size=}} and {{=new Set().size=}}')]
    const { texts, asked } = walkFlow({ blocks }, { effects: { evaluate: (_, nth) => answered(nth) } })
    expect(texts).toEqual(['1 and 2'])
    expect(asked.map(({ type }) => type)).toEqual(['evaluate', 'yield'])
  })

  it('is run as often as it stands there', () => {
    const blocks: Json[] = [bubble('b', '{{=new Date()=}} and {{=new Date()=}}')]
    const { texts } = walkFlow({ blocks }, { effects: { evaluate: (_, nth) => answered(`${nth}`) } })
    expect(texts).toEqual(['1 and 2'])
  })

  it('gets the values that it refers to, and nothing else', () => {
    const definition = {
      variables: [variable('A', { value: '5' }), variable('B', { value: 'secret' })],
      blocks: [setVariable('s', 'vA', 'new Number({{A}})')],
    }
    const { asked } = walkFlow(definition, { effects: { evaluate: () => answered(6) } })
    expect(asked).toContainEqual({
      type: 'evaluate',
      jobs: [
        {
          body: 'return new Number(vA)',
          isAsync: true,
          globals: [['vA', 5]],
          mayAssign: true,
          mayFetch: false,
        },
      ],
    })
  })

  it('is run anew each time that its block runs', () => {
    const loop = {
      variables: [variable('A')],
      blocks: [
        setVariable('s', 'vA', 'new Date(0)'),
        textInput('i'),
        { id: 'j', type: 'Jump', options: { groupId: 'g1' } },
      ],
    }
    const walked = walkFlow(loop, { effects: { evaluate: (_, nth) => answered(String(nth)) } })
    const again = walked.reply('x')
    expect(again.turn.currentFrame.variables.readByName('A')).toBe('2')
  })

  it('stands for itself when it throws, and a log says why', () => {
    const thrown: CodeResult = { ok: false, message: 'no', reason: 'thrown' }
    const { texts, output } = walkFlow(
      { blocks: [bubble('b', '{{=new Foo()=}}')] },
      { effects: { evaluate: () => thrown } },
    )
    expect([texts, output.logs]).toEqual([
      ['new Foo()'],
      [{ status: 'error', description: 'Code in a text failed: no', details: 'new Foo()' }],
    ])
  })

  it('can stand in the text for what is not valid', () => {
    const email = {
      id: 'm',
      type: 'email input',
      options: { retryMessageContent: 'Again, {{=new Date(0)=}}' },
    }
    const walked = walkFlow({ blocks: [email] }, { effects: { evaluate: () => answered('now') } }).reply('x')
    expect(walked.texts).toEqual(['Again, now'])
  })
})

describe('the code of a block', () => {
  const evaluates = (asked: readonly Effect[]) => asked.filter((effect) => effect.type === 'evaluate')

  it('is one effect, in the order in which it stands there', () => {
    const blocks: Json[] = [bubble('b', '{{=new Map().size=}}, {{=1 + 1=}} and {{=new Set().size=}}')]
    const { texts, asked } = walkFlow({ blocks }, { effects: { evaluate: ({ body }) => answered(body) } })
    expect(texts).toEqual(['return new Map().size, 2 and return new Set().size'])
    expect(evaluates(asked).map(({ jobs }) => jobs.length)).toEqual([2])
  })

  it('waits for the code inside it', () => {
    const definition = {
      variables: [variable('A')],
      blocks: [setVariable('s', 'vA', 'new Date({{= new Number(7) =}})')],
    }
    const { asked } = walkFlow(definition, { effects: { evaluate: (_, nth) => answered(nth) } })
    expect(evaluates(asked).map(({ jobs }) => jobs.map(({ globals }) => globals))).toEqual([
      [[]],
      [[['$inline0$', 1]]],
    ])
  })

  it('is not asked for where the interpreter can do it', () => {
    const { texts, asked } = walkFlow({ blocks: [bubble('b', '{{=6 * 7=}}')] })
    expect([texts, asked]).toEqual([['42'], []])
  })

  it('lets others be served where it is much together, and is evaluated to its end', () => {
    const pieces = Array.from({ length: 60 }, (_, nth) => `{{=({{V}} + ${nth}).length=}}`)
    const definition = {
      variables: [variable('V', { value: 'x'.repeat(20_000) })],
      blocks: [bubble('b', pieces.join(' '))],
    }
    const { texts, asked } = walkFlow(definition)
    expect(texts).toEqual([pieces.map((_, nth) => 20_000 + `${nth}`.length).join(' ')])
    expect(new Set(asked.map(({ type }) => type))).toEqual(new Set(['yield']))
    expect(asked.length).toBeGreaterThan(3)
  })

  it('is run once, though its text is rendered a second time', () => {
    const definition = {
      variables: [variable('A')],
      blocks: [setVariable('s', 'vA', 'It is {{= new Date(0) =}} now'), bubble('b', '{{A}}')],
    }
    const { texts, asked } = walkFlow(definition, { effects: { evaluate: (_, nth) => answered(`${nth}`) } })
    expect(texts).toEqual(['It is 1 now'])
    expect(evaluates(asked)).toHaveLength(1)
  })

  it('is charged once for the values that it gets', () => {
    const costOf = (value: string) => {
      const variables = [variable('A', { value }), variable('B')]
      const given = { effects: { evaluate: () => answered('done') } }
      const { turn } = walkFlow({ variables, blocks: [setVariable('s', 'vB', 'new Map({{A}})')] }, given)
      return turn.budget.cost
    }
    expect(costOf('a'.repeat(1001)) - costOf('a')).toBe(1000)
  })

  it('is not run for a reply that is judged by itself', () => {
    const input = { ...textInput('i'), options: { labels: { placeholder: '{{= new Date(0) =}}' } } }
    const asking = walkFlow({ blocks: [input] }, { effects: { evaluate: () => answered('now') } })
    expect([evaluates(asking.asked).length, evaluates(asking.reply('x').asked).length]).toEqual([1, 0])
  })

  it('ends the turn when that has used up its time', () => {
    const { turn, texts } = walkFlow(
      { blocks: [bubble('b', '{{=new Map()=}}')] },
      { effects: { evaluate: () => answered(1), yield: () => false } },
    )
    expect([turn.budget.isStopped, texts]).toEqual([true, []])
  })

  it('is not run beyond a hundred pieces', () => {
    const text = Array.from({ length: 105 }, (_, index) => `{{=new Map(${index})=}}`).join(' ')
    const { texts, asked, output } = walkFlow(
      { blocks: [bubble('b', text)] },
      { effects: { evaluate: () => answered(1) } },
    )
    expect(evaluates(asked).map(({ jobs }) => jobs.length)).toEqual([100])
    expect(texts[0]).toMatch(/^(1 ){100}new Map\(100\) /)
    expect(output.logs).toHaveLength(5)
    const description = 'Code in a text did not run to its end: More than 100 pieces of code in one block'
    expect(output.logs[0]).toMatchObject({ description, details: 'new Map(100)' })
  })

  it('shares the hundred pieces with the patterns of its conditions', () => {
    const comparison = { id: 'q', variableId: 'vA', comparisonOperator: 'Matches regex', value: '(?=a)' }
    const code = Array.from({ length: 100 }, (_, index) => ({
      ...comparison,
      id: `q${index}`,
      value: `{{=new Map(${index})=}}`,
    }))
    const items = [{ id: 'i', content: { logicalOperator: 'OR', comparisons: [...code, comparison] } }]
    const { output } = walkFlow(
      { variables: [variable('A', { value: 'a' })], blocks: [{ id: 'c', type: 'Condition', items }] },
      { effects: { evaluate: () => answered('b') } },
    )
    const description =
      'A pattern of the block "c" matches nothing: More than 100 pieces of code in one block'
    expect(output.logs).toMatchObject([{ description }])
  })
})

describe('code outside any block', () => {
  const table = new VariableTable([])

  function renderingOf(text: string) {
    const template = parseTemplate(text, table)
    const logs: object[] = []
    const rendering = renderWithBudget({
      variables: new Variables(table),
      limits: defaultLimits,
      codes: template.codes,
      render: (scope) => renderText(template, scope),
      otherwise: 'too large',
      log: (entry) => logs.push(entry),
      reached: (limit) => logs.push({ limit }),
    })
    return { rendering, logs }
  }

  it('is run before the text is rendered', () => {
    const { rendering, logs } = renderingOf('{{=new Map()=}}!')
    expect(rendering.next().value).toEqual({ type: 'evaluate', jobs: [jobOf('return new Map()')] })
    expect(rendering.next([answered('done')]).value).toEqual({ type: 'yield' })
    expect([rendering.next(true), logs]).toEqual([{ done: true, value: 'done!' }, []])
  })

  it('leaves the text out when the turn has used up its time', () => {
    const { rendering, logs } = renderingOf('{{=new Map()=}}!')
    rendering.next()
    rendering.next([answered('done')])
    expect(rendering.next(false)).toEqual({ done: true, value: 'too large' })
    const description = `A part was left out: more than ${defaultLimits.turnMs} ms of engine time in one turn`
    expect(logs).toMatchObject([{ limit: 'turnMs' }, { description }])
  })
})
