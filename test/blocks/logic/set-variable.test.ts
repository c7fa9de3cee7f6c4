import { describe, expect, it } from 'vitest'
import type { SetVariableType } from '../../../schemas/blocks/logic.ts'
import { setVariable } from '../../../src/blocks/logic/set-variable.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { toValue } from '../../../src/engine/values/value.ts'
import { evaluated, expressionValues, takenForText } from '../../fixtures/tables/expressions.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import { impatientLimits } from '../../support/limits.ts'
import { prepareBlock, runBlock, type Surroundings } from '../../support/run-block.ts'
import { playBlock } from './play-block.ts'

const block = (options?: object) => ({ id: 's1', type: 'Set variable', ...(options && { options }) })
const setT = (type: SetVariableType, options: object = {}) => block({ variableId: 'vT', type, ...options })

/** What ends up in the target, and under the names of other variables, after one run. */
function written(options: object, given: Surroundings = {}): Record<string, Value> {
  const variables = { T: null, ...given.variables }
  const { assignments = [] } = runBlock(setVariable, block({ variableId: 'vT', ...options }), {
    ...given,
    variables,
  })
  return Object.fromEntries(assignments.map(({ variableId, value }) => [variableId, toValue(value)]))
}

describe('set variable', () => {
  it.each([
    ['options', undefined],
    ['a variable', { expressionToEvaluate: '1' }],
    ['more than an empty id', { variableId: '', expressionToEvaluate: '1' }],
  ])('does nothing without %s', (_what, options) => {
    const prepared = prepareBlock(setVariable, block(options))
    expect(prepared.run()).toEqual({})
    expect(prepared.receive('x')).toEqual({})
  })

  it('writes nothing for a variable that the flow lacks', () => {
    const prepared = prepareBlock(
      setVariable,
      block({ variableId: 'vX', expressionToEvaluate: 'x', isCode: true, saveErrorInVariableId: 'vT' }),
      { variables: { T: null } },
    )
    expect(prepared.run().assignments).toBeUndefined()
  })

  describe('custom', () => {
    it.each([...evaluated, ...takenForText])(
      'sets the variable by the expression %s',
      (expressionToEvaluate, value) => {
        expect(
          written(
            { ...(expressionToEvaluate !== undefined && { expressionToEvaluate }) },
            { variables: expressionValues },
          ),
        ).toEqual({
          vT: value,
        })
      },
    )

    it.each([
      [false, {}],
      [true, { vError: 'The code was not run' }],
    ])(
      'leaves the variable alone when the expression was cut off (isCode %s), and says so',
      (isCode, errors) => {
        const options = { expressionToEvaluate: 'new Date()', isCode, saveErrorInVariableId: 'vError' }
        const given = { variables: { T: 'before', Error: null } }
        expect(written({ ...options }, given)).toEqual(errors)
        const prepared = prepareBlock(setVariable, setT('Custom', options), given)
        expect(prepared.run().logs).toEqual([
          {
            status: 'error',
            context: 'Set variable: expression failed',
            description: 'The code was not run',
            details: expect.stringMatching(/^Block "/),
          },
        ])
        expect(prepared.findings).toEqual([])
      },
    )

    it('is silent about a sentence', () => {
      const prepared = prepareBlock(setVariable, setT('Custom', { expressionToEvaluate: 'John Doe' }), {
        variables: { T: null },
      })
      expect(prepared.run()).toEqual({ assignments: [{ variableId: 'vT', value: 'John Doe' }] })
      expect(prepared.findings).toEqual([])
    })

    it('reports that code failed, and writes why before the text', () => {
      const options = { expressionToEvaluate: '{{Name}}.a.b', isCode: true, saveErrorInVariableId: 'vError' }
      const description = "Cannot read properties of undefined (reading 'b')"
      const details = expect.stringMatching(/^Block ".+"/)
      const step = runBlock(setVariable, setT('Custom', options), {
        variables: { ...expressionValues, T: null, Error: null },
      })
      expect(step).toEqual({
        assignments: [
          { variableId: 'vError', value: description },
          { variableId: 'vT', value: 'Ann.a.b' },
        ],
        logs: [{ status: 'error', context: 'Set variable: expression failed', description, details }],
      })
    })

    it('reports that code failed where nothing receives the error', () => {
      const step = runBlock(setVariable, setT('Custom', { expressionToEvaluate: 'yes', isCode: true }), {
        variables: { T: null },
      })
      expect(step.assignments).toEqual([{ variableId: 'vT', value: 'yes' }])
      expect(step.logs).toMatchObject([{ description: 'yes is not defined' }])
    })

    it('leaves the error variable alone when code succeeds', () => {
      const options = { expressionToEvaluate: '1 + 1', isCode: true, saveErrorInVariableId: 'vError' }
      expect(written(options, { variables: { Error: 'old' } })).toEqual({ vT: '2' })
    })

    it('says beforehand that code is not valid, of code only', () => {
      const findings = (isCode: boolean) =>
        prepareBlock(setVariable, setT('Custom', { expressionToEvaluate: 'a b', isCode }), {
          variables: { T: null },
        }).findings
      expect(findings(true)).toMatchObject([{ code: 'invalid-code' }])
      expect(findings(false)).toEqual([])
    })

    it('has the client evaluate code, and waits', () => {
      const options = { expressionToEvaluate: '{{Age}} + 1', isExecutedOnClient: true }
      expect(runBlock(setVariable, setT('Custom', options), { variables: { T: null, Age: '41' } })).toEqual({
        actions: [
          {
            type: 'setVariable',
            setVariable: {
              scriptToExecute: { content: 'vAge + 1', args: [{ id: 'vAge', value: 41 }], isCode: false },
            },
            expectsDedicatedReply: true,
          },
        ],
        next: { to: 'wait' },
      })
    })

    it('marks to the client what is code and what is unsafe', () => {
      const options = { expressionToEvaluate: '1', isExecutedOnClient: true, isCode: true, isUnsafe: true }
      expect(runBlock(setVariable, setT('Custom', options)).actions).toMatchObject([
        { setVariable: { scriptToExecute: { isCode: true, isUnsafe: true } } },
      ])
    })
  })

  it.each<[SetVariableType, Value]>([
    ['Empty', null],
    ['Environment name', 'web'],
    ['Phone number', null],
    ['Contact name', null],
    ['Referral Click ID', null],
    ['Referral Source ID', null],
  ])('sets %s to %j, also when told to ask the client', (type, value) => {
    expect(written({ type, isExecutedOnClient: true }, { variables: { T: 'before' } })).toEqual({ vT: value })
  })

  describe('lists', () => {
    it.each<[string, Value, object, Record<string, Value>]>([
      ['Append value(s)', null, { item: 'y' }, { vT: ['y'] }],
      ['Append value(s)', 'x', { item: 'y' }, { vT: ['x', 'y'] }],
      ['Append value(s)', ['x'], { item: '{{Other}}' }, { vT: ['x', '["1","2"]'] }],
      ['Append value(s)', ['x'], { item: '' }, { vT: ['x', null] }],
      ['Append value(s)', ['x'], {}, { vT: ['x', null] }],
      ['Pop', null, { saveItemInVariableId: 'vItem' }, { vT: null }],
      ['Pop', 'x', { saveItemInVariableId: 'vItem' }, { vItem: 'x', vT: [] }],
      ['Pop', ['x', 'y'], { saveItemInVariableId: 'vItem' }, { vItem: 'y', vT: ['x'] }],
      ['Pop', ['x', 'y'], {}, { vT: ['x'] }],
      ['Pop', [], { saveItemInVariableId: 'vItem' }, { vItem: null, vT: [] }],
      ['Shift', null, { saveItemInVariableId: 'vItem' }, { vT: null }],
      ['Shift', 'x', { saveItemInVariableId: 'vItem' }, { vItem: 'x', vT: [] }],
      ['Shift', ['x', 'y'], { saveItemInVariableId: 'vItem' }, { vItem: 'x', vT: ['y'] }],
      ['Shift', [], { saveItemInVariableId: 'vItem' }, { vItem: null, vT: [] }],
    ])('%s on %j with %j', (type, before, options, after) => {
      const variables = { T: before, Item: 'kept', Other: ['1', '2'] }
      expect(written({ type, ...options }, { variables })).toEqual(after)
    })

    it('writes the item first, so that a variable that is both ends as the list', () => {
      const step = runBlock(setVariable, setT('Pop', { saveItemInVariableId: 'vT' }), {
        variables: { T: ['x', 'y'] },
      })
      expect(step.assignments?.map(({ value }) => value)).toEqual(['y', ['x']])
    })

    const params = {
      baseItemVariableId: 'vItem',
      baseListVariableId: 'vBase',
      targetListVariableId: 'vTarget',
    }
    it.each<[string, Record<string, Value>, Value]>([
      [
        'the element at the index of the item',
        { Item: 'b', Base: ['a', 'b', 'b'], Target: ['1', '2', '3'] },
        '2',
      ],
      ['nothing for an item that is not in the list', { Item: 'c', Base: ['a'], Target: ['1'] }, null],
      ['nothing for no item', { Item: null, Base: [null, 'a'], Target: ['1'] }, null],
      ['nothing for a list as item', { Item: ['a'], Base: ['a'], Target: ['1'] }, null],
      ['nothing for a text as base', { Item: 'a', Base: 'a', Target: ['1'] }, null],
      ['nothing for a text as target', { Item: 'a', Base: ['a'], Target: '1' }, null],
      ['nothing past the end of the target', { Item: 'b', Base: ['a', 'b'], Target: ['1'] }, null],
      ['nothing at an empty element', { Item: 'a', Base: ['a'], Target: [null] }, null],
    ])('maps to %s', (_what, variables, value) => {
      const options = { type: 'Map item with same index', mapListItemParams: params }
      expect(written(options, { variables })).toEqual({ vT: value })
    })

    it.each([undefined, {}, { baseItemVariableId: 'vX' }])('maps to nothing with %j', (mapListItemParams) => {
      const options = { type: 'Map item with same index', ...(mapListItemParams && { mapListItemParams }) }
      expect(written(options)).toEqual({ vT: null })
    })
  })

  describe('dates', () => {
    const effects = { now: fixedNow }

    it.each<[SetVariableType, string | undefined, string]>([
      ['Now', undefined, '2026-11-21T09:17:01.712Z'],
      ['Now', '', '2026-11-21T09:17:01.712Z'],
      ['Now', '{{Nope}}', '2026-11-21T09:17:01.712Z'],
      ['Now', 'Europe/Paris', '2026-11-21T10:17:01+01:00'],
      ['Now', ' {{Zone}} ', '2026-11-21T14:47:01+05:30'],
      ['Today', 'Europe/Paris', '2026-11-21T09:17:01.712Z'],
      ['Yesterday', undefined, '2026-11-20T09:17:01.712Z'],
      ['Yesterday', 'UTC', '2026-11-20T09:17:01Z'],
      ['Tomorrow', undefined, '2026-11-22T09:17:01.712Z'],
      ['Tomorrow', '+02:00', '2026-11-22T11:17:01+02:00'],
    ])('%s in the zone %j', (type, timeZone, value) => {
      const options = { type, ...(timeZone !== undefined && { timeZone }) }
      expect(written(options, { effects, variables: { Zone: 'Asia/Kolkata' } })).toEqual({ vT: value })
    })

    it('falls back to UTC for an unknown zone, and says so', () => {
      const step = runBlock(setVariable, setT('Now', { timeZone: 'Mars' }), {
        effects,
        variables: { T: null },
      })
      expect(step).toEqual({
        assignments: [{ variableId: 'vT', value: '2026-11-21T09:17:01.712Z' }],
        logs: [
          {
            status: 'error',
            context: 'Set variable',
            description: 'Time zone "Mars" is unknown: UTC is used instead',
          },
        ],
      })
    })
  })

  describe('ids', () => {
    it.each<SetVariableType>(['Result ID', 'User ID'])('takes the id of the result for %s', (type) => {
      expect(written({ type }, { resultId: 'result-1' })).toEqual({ vT: 'result-1' })
    })

    it('takes a fresh id where there is no result', () => {
      expect(written({ type: 'Result ID' }, { effects: { id: 'id-1' } })).toEqual({ vT: 'id-1' })
    })

    it.each([
      [0, 'aaaaaaaaaaaaaaaaaaaaaaaa'],
      [0.9999, 'z99999999999999999999999'],
    ])('draws the characters of a random id by %d', (random, value) => {
      expect(written({ type: 'Random ID' }, { effects: { random } })).toEqual({ vT: value })
    })
  })

  it('writes the transcript, and keeps it out of the result', () => {
    const transcript = ['Assistant: "Hi"', 'User: "Yo"']
    const step = runBlock(setVariable, setT('Transcript'), { transcript, variables: { T: null } })
    expect(step.assignments).toEqual([
      { variableId: 'vT', value: 'Assistant: "Hi"\n\nUser: "Yo"', isSessionVariable: true },
    ])
  })

  it.each([
    ['Transcript', true],
    ['Now', false],
  ] as const)('%s needs a transcript: %s', (type, needs) => {
    expect(setVariable.needsTranscript?.(setT(type))).toBe(needs)
  })

  it.each([
    ['Moment of the day', /^const hour = new Date\(\)\.getHours\(\)\n/],
    ['Device type', /^const agent = navigator\.userAgent\n/],
  ] as const)('has the client work out %s', (type, content) => {
    expect(runBlock(setVariable, setT(type))).toEqual({
      actions: [
        {
          type: 'setVariable',
          setVariable: {
            scriptToExecute: { content: expect.stringMatching(content), args: [], isCode: false },
          },
          expectsDedicatedReply: true,
        },
      ],
      next: { to: 'wait' },
    })
  })

  it.each([
    [setT('Now'), true],
    [setT('Custom', { isExecutedOnClient: true }), true],
    [setT('Custom', { expressionToEvaluate: '1' }), true],
    [block(), true],
    [block({ type: 'Device type' }), true],
    [setT('Custom', { isExecutedOnClient: true, expressionToEvaluate: '1' }), false],
    [block({ variableId: 'vT', isExecutedOnClient: true, expressionToEvaluate: '1' }), false],
    [setT('Moment of the day'), false],
    [setT('Device type'), false],
  ])('%j always passes: %s', (definition, passes) => {
    expect(setVariable.isPassThrough?.(definition)).toBe(passes)
  })

  describe('what the client sends back', () => {
    const prepared = () =>
      prepareBlock(setVariable, setT('Moment of the day'), { variables: { T: 'before' } })

    it.each<[string, Value]>([
      ['hello', 'hello'],
      ['5', '5'],
      ['1.0', '1'],
      ['007', '007'],
      ['true', 'true'],
      ['"q"', 'q'],
      ['["a","b"]', ['a', 'b']],
      ['{ "a": 1 }', '{"a":1}'],
      ['null', null],
      ['', null],
      ['undefined', 'undefined'],
      ['12345678901234567890', '12345678901234567890'],
      ['-12345678901234567890', '-12345678901234567890'],
      ['[1,[2],{"a":null},""]', ['1', '[2]', '{"a":null}', null]],
      ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
      ['1e999', null],
      [`${'['.repeat(200)}${']'.repeat(200)}`, `${'['.repeat(200)}${']'.repeat(200)}`],
    ])('stores %j as %j', (text, value) => {
      const receipt = prepared().receive(text)
      const [assignment] = receipt.malformed === undefined ? (receipt.assignments ?? []) : []
      expect(assignment?.variableId).toBe('vT')
      expect(toValue(assignment?.value)).toEqual(value)
    })
  })
})

describe('set variable in the sandbox', () => {
  it.each<[string, Value | undefined]>([
    ['Promise.resolve(7)', '7'],
    ['await Promise.resolve([1, "", null])', ['1', null, null]],
    ['new Date(0)', '"1970-01-01T00:00:00.000Z"'],
    ['new Map()', '{}'],
    ['10n', undefined],
    ['{{List}}.map(function (x) { return(x + {{Num}}) })', ['a5', 'b5']],
    ['{{List}}.map(function (x) { return x + {{Num}} })', undefined],
    ['let sum = 0; for (const x of [1, 2, {{Num}}]) sum += x; return sum', '8'],
    ['{{Name}}.replace(/n/g, "N")', 'ANN'],
    ['{{={{Name}}.normalize()=}}', 'Ann'],
    ['"{{={{Name}}.normalize()=}}" + 1', 'Ann1'],
    ['setVariable("Name", "Bob")', undefined],
    ['(1234.5).toLocaleString("de-DE", { style: "currency", currency: "EUR" })', '1.234,50\u00a0€'],
    ['new Date("2024-03-05T10:00:00Z").toLocaleDateString("nl-NL")', '5-3-2024'],
    ['Map', 'Map'],
    ['Map - north', 'Map - north'],
    ['typeof process + typeof require + typeof window', 'undefinedundefinedundefined'],
  ])('sets the variable by the expression %s', async (expressionToEvaluate, value) => {
    const { values, logs } = await playBlock(setT('Custom', { expressionToEvaluate }), {
      ...expressionValues,
      T: 'before',
    })
    expect(values['T']).toEqual(value)
    expect(values['Name']).toBe('Ann')
    expect(logs).toEqual([])
  })

  it('reports what code has thrown', async () => {
    const options = {
      expressionToEvaluate: 'throw new Error("no " + {{Name}}); return 1',
      isCode: true,
      saveErrorInVariableId: 'vError',
    }
    expect(await playBlock(setT('Custom', options), { T: null, Error: null, Name: 'Ann' })).toEqual({
      values: { T: 'throw new Error("no " + Ann); return 1', Error: 'no Ann', Name: 'Ann' },
      logs: [
        {
          status: 'error',
          context: 'Set variable: expression failed',
          description: 'no Ann',
          details: expect.stringMatching(/^Block "/),
        },
      ],
    })
  })

  it.each([
    ['{{{Name}}}', '{Ann}'],
    ['{ {{Name}}, {{Num}} }', '{ Ann, 5 }'],
    ['({ {{Name}} })', '{"vName":"Ann"}'],
    ['globalThis', 'globalThis'],
    ['arguments', 'arguments'],
  ])('sets the variable by %s to %s', async (expressionToEvaluate, value) => {
    const { values, logs } = await playBlock(setT('Custom', { expressionToEvaluate }), {
      ...expressionValues,
      T: null,
    })
    expect([values['T'], logs]).toEqual([value, []])
  })

  it.each(['new order', 'await reply', 'Map', 'return to sender, please'])(
    'is silent about the words %s, though they are some code',
    async (expressionToEvaluate) => {
      const block = setT('Custom', { expressionToEvaluate })
      expect(await playBlock(block, { T: null })).toEqual({ values: { T: expressionToEvaluate }, logs: [] })
    },
  )

  it.each([
    'return nothing.here',
    'new Promise((_, reject) => reject(new Error("x")))',
    '(() => { throw new Error("x") })()',
    'this.constructor.constructor("return process")()',
    '{{Name}}.first.second',
    'new Set({{Name}}.first.second)',
    '"ab".repeat(2 ** 29)',
    'null.length',
  ])('tells why %s threw, where nobody said that it is code', async (expressionToEvaluate) => {
    const { values, logs } = await playBlock(setT('Custom', { expressionToEvaluate }), {
      T: null,
      Name: 'Ann',
    })
    expect(values['T']).toBe(expressionToEvaluate.replace('{{Name}}', 'Ann'))
    const details = expect.stringMatching(/^Block ".+" \(Set variable\) in group ".+"/)
    const description = expect.stringMatching(/./)
    expect(logs).toEqual([
      { status: 'error', context: 'Set variable: expression failed', description, details },
    ])
  })

  it.each(['for (;;); return 1', 'new Promise(() => {})'])('ends with a log for %s', async (expression) => {
    const block = setT('Custom', { expressionToEvaluate: expression })
    expect(await playBlock(block, { T: 'before' }, { limits: impatientLimits })).toEqual({
      values: { T: 'before' },
      logs: [
        {
          status: 'error',
          context: 'Set variable: expression failed',
          description: expect.any(String),
          details: expect.stringMatching(/^Block "/),
        },
      ],
    })
  })
})
