import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { type BlockHandler, defineBlock, type RunContext } from '../../../src/engine/model/block-handler.ts'
import type { CodeJob, CodeResult } from '../../../src/engine/model/effect-payloads.ts'
import { ask } from '../../../src/engine/model/effects.ts'
import { renderWithBudget } from '../../../src/engine/templates/render-with-budget.ts'
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

/** A block that does as it is told. */
function doing(run: BlockHandler['run']) {
  const handler = defineBlock({ types: ['probe'], kind: 'logic', compile: () => undefined, run })
  return new Map([...blockRegistry, ['probe', handler]])
}

const sandbox = (context: RunContext, body: string) => context.sandbox?.(jobOf(body))

describe('code that only the sandbox can run', () => {
  it('shows what it comes to, wherever it stands', () => {
    const blocks: Json[] = [bubble('b', '{{=new Map().size=}} and {{=new Set().size=}}')]
    const { texts, asked } = walkFlow({ blocks }, { effects: { evaluate: (_, nth) => answered(nth) } })
    expect(texts).toEqual(['1 and 2'])
    expect(asked.filter(({ type }) => type === 'evaluate')).toHaveLength(2)
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
      job: {
        body: 'return new Number(vA)',
        isAsync: true,
        globals: [['vA', 5]],
        mayAssign: true,
        mayFetch: false,
      },
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

describe('a handler that waits for code', () => {
  it('is begun again, and hears the same answers as before', () => {
    const heard: unknown[] = []
    const registry = doing(function* (_compiled, context) {
      const random = yield* ask({ type: 'random' })
      heard.push(random)
      const result = sandbox(context, 'one')
      heard.push(result?.ok && result.value)
      return {}
    })
    const { asked } = walkFlow(
      { blocks: [{ id: 'p', type: 'probe' }] },
      { registry, effects: { random: (_, nth) => nth / 10, evaluate: () => answered('done') } },
    )
    expect(heard).toEqual([0.1, 0.1, 'done'])
    expect(asked.map(({ type }) => type)).toEqual(['random', 'evaluate', 'yield'])
  })

  it('is heard once, however often it is begun', () => {
    const registry = doing((_compiled, context) => {
      context.log({ description: 'begun' })
      sandbox(context, 'one')
      sandbox(context, 'two')
      return {}
    })
    const { output } = walkFlow(
      { blocks: [{ id: 'p', type: 'probe' }] },
      { registry, effects: { evaluate: () => answered(1) } },
    )
    expect(output.logs).toEqual([{ description: 'begun' }])
  })

  it('is charged once, however often it is begun', () => {
    const registry = doing((_compiled, context) => {
      context.spend(100)
      sandbox(context, 'one')
      sandbox(context, 'two')
      return {}
    })
    const { turn } = walkFlow(
      { blocks: [{ id: 'p', type: 'probe' }] },
      { registry, effects: { evaluate: () => answered(1) } },
    )
    expect(turn.budget.cost).toBe(100)
  })

  it('is ended when the turn has used up its time', () => {
    const registry = doing((_compiled, context) => {
      sandbox(context, 'one')
      return {}
    })
    const { turn } = walkFlow(
      { blocks: [{ id: 'p', type: 'probe' }] },
      { registry, effects: { evaluate: () => answered(1), yield: () => false } },
    )
    expect(turn.budget.isStopped).toBe(true)
  })

  it('is not begun for ever', () => {
    let count = 0
    const results: unknown[] = []
    const registry = doing((_compiled, context) => {
      count = 0
      for (let index = 0; index < 105; index++) results[index] = sandbox(context, `job ${index}`)
      count = results.length
      return {}
    })
    const { asked } = walkFlow(
      { blocks: [{ id: 'p', type: 'probe' }] },
      { registry, effects: { evaluate: () => answered(1) } },
    )
    expect(asked.filter(({ type }) => type === 'evaluate')).toHaveLength(100)
    expect([count, results[104]]).toMatchObject([105, { ok: false, reason: 'limit' }])
  })

  it('fails like any other when it throws afterwards', () => {
    const registry = doing((_compiled, context) => {
      sandbox(context, 'one')
      throw new Error('broken')
    })
    const { output } = walkFlow(
      { blocks: [{ id: 'p', type: 'probe' }, bubble('b')] },
      { registry, effects: { evaluate: () => answered(1) } },
    )
    expect(output.defects).toHaveLength(1)
    expect(output.messages).toHaveLength(1)
  })
})

describe('a rendering outside any block', () => {
  it('waits for code as well, and is heard once', () => {
    const heard: object[] = []
    const rendering = renderWithBudget({
      variables: new Variables(new VariableTable([])),
      limits: defaultLimits,
      render: ({ sandbox, log }) => {
        log({ description: 'begun' })
        const result = sandbox?.(jobOf('one'))
        return result?.ok ? result.value : 'nothing'
      },
      otherwise: 'too large',
      log: (entry) => heard.push(entry),
      reached: (limit) => heard.push({ limit }),
    })
    expect(rendering.next().value).toEqual({ type: 'evaluate', job: jobOf('one') })
    expect(rendering.next(answered('done')).value).toEqual({ type: 'yield' })
    expect(rendering.next(true)).toEqual({ done: true, value: 'done' })
    expect(heard).toEqual([{ description: 'begun' }])
  })
})
