import { describe, expect, it } from 'vitest'
import type { ResponseVariableMapping } from '../../schemas/blocks/integrations.ts'
import { webhookListener } from '../../src/blocks/logic/client-steps.ts'
import type { CodeResult } from '../../src/engine/model/effect-payloads.ts'
import { toValue, type Value } from '../../src/engine/values/value.ts'
import { runInHost } from '../engine/javascript/code-world.ts'
import { bodyPaths, mappedData as data } from '../fixtures/tables/body-paths.ts'
import { prepareBlock, type Surroundings } from '../support/run-block.ts'

function prepared(
  rows: ResponseVariableMapping,
  variables: Record<string, Value> = { V: 'before' },
  effects: NonNullable<Surroundings['effects']> = {},
) {
  const block = { id: 'b1', type: 'webhook', options: { responseVariableMapping: rows } }
  return prepareBlock(webhookListener, block, { variables, effects })
}

/** What ends up in variables, by id. */
function mapped(
  rows: ResponseVariableMapping,
  { variables, response = { statusCode: 200, data } }: MappedOptions = {},
) {
  const receipt = prepared(rows, variables, { evaluate: runInHost }).receive(JSON.stringify(response))
  if (receipt.malformed !== undefined) throw new Error(receipt.malformed)
  const { assignments = [] } = receipt
  return Object.fromEntries(assignments.map(({ variableId, value }) => [variableId, toValue(value)]))
}

interface MappedOptions {
  variables?: Record<string, Value>
  response?: object
}

const row = (bodyPath: string, variableId = 'vV') => ({ id: 'm1', variableId, bodyPath })

describe('response mapping', () => {
  it.each<[string, Value]>([
    ...bodyPaths,
    ['response', JSON.stringify({ statusCode: 200, data })],
    ['data.missing?.x', null],
  ])('maps %j to %j', (bodyPath, value) => {
    const variables = { V: 'before', Zero: '0' }
    expect(mapped([row(bodyPath)], { variables })).toEqual({ vV: value })
  })

  it.each(['data.missing.x', 'items[0].n', '$.total', 'x => x', 'data.', '', '{{Nope}}'])(
    'leaves the variable alone for %j, silently',
    (bodyPath) => {
      const given = prepared([row(bodyPath)])
      const receipt = given.receive(JSON.stringify({ data }))
      expect(receipt).toEqual({ assignments: [], logs: [] })
      expect(given.logs).toEqual([])
    },
  )

  it.each<[object, Record<string, Value>]>([
    [
      {
        statusCode: 200,
        data: { unit: { price: 12.5 }, stores: [{ city: 'Nantes' }, { city: 'Brest' }] },
      },
      { vPrice: '12.5', vShops: ['Nantes', 'Brest'], vCode: '200' },
    ],
    [
      { statusCode: 200, data: { unit: { price: 12.5 }, stores: [] } },
      { vPrice: '12.5', vShops: [], vCode: '200' },
    ],
    [{ statusCode: 404, data: { error: 'no such sku' } }, { vCode: '404' }],
    [{ statusCode: 502, data: '<html>' }, { vCode: '502' }],
    [{ statusCode: 408, data: { message: 'Request timed out. (5s)' } }, { vCode: '408' }],
    [{}, { vCode: null }],
  ])('maps %j row by row', (response, values) => {
    const rows = [
      row('data.unit.price', 'vPrice'),
      row('data.stores.flatMap(item => item.city)', 'vShops'),
      row('statusCode', 'vCode'),
    ]
    const variables = { Price: null, Shops: null, Code: null }
    expect(mapped(rows, { variables, response })).toEqual(values)
  })

  it('takes the first row of a variable that works', () => {
    expect(mapped([row('data.missing.x'), row('data.missing'), row('data.total')])).toEqual({ vV: null })
    expect(mapped([row('data.total'), row('statusCode')])).toEqual({ vV: '3' })
  })

  it('has the sandbox read what goes beyond simple expressions', () => {
    const evaluate: CodeResult = { ok: true, value: 'from the sandbox', assigned: [['V', 'never written']] }
    const receipt = prepared([row('data.items.sort()')], { V: null }, { evaluate }).receive(
      '{"data":{"items":[]}}',
    )
    expect(receipt).toEqual({ assignments: [{ variableId: 'vV', value: 'from the sandbox' }], logs: [] })
  })

  it.each(['limit', 'busy'] as const)('names the row that was cut off: %s', (reason) => {
    const evaluate: CodeResult = { ok: false, message: 'it took too long', reason }
    const rows = [row('data.total', 'vW'), row(`data.items.sort() /* ${'x'.repeat(300)} */`)]
    const given = prepared(rows, { V: null, W: null }, { evaluate })
    expect(given.receive(JSON.stringify({ data }))).toEqual({
      assignments: [{ variableId: 'vW', value: 3 }],
      logs: [
        {
          status: 'error',
          context: 'Response mapping',
          description: 'Row 2 was not read: it took too long',
          details: expect.stringMatching(/^data\.items\.sort\(\) .{182}$/),
        },
      ],
    })
  })

  it('leaves the variable alone whose row throws in the sandbox, silently', () => {
    const evaluate: CodeResult = { ok: false, message: 'x is not a function', reason: 'thrown' }
    const given = prepared([row('data.items.sort(1)')], { V: null }, { evaluate })
    expect(given.receive('{"data":{"items":[]}}')).toEqual({ assignments: [], logs: [] })
  })

  it('reads a hundred rows, and reports more', () => {
    const variables = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`V${index}`, null]))
    const rows = Object.keys(variables).map((name) => row('data.total', `v${name}`))
    const receipt = prepared(rows, variables).receive(JSON.stringify({ data }))
    expect('assignments' in receipt && receipt.assignments).toHaveLength(100)
    expect('logs' in receipt && receipt.logs).toEqual([
      { status: 'error', context: 'Response mapping', description: 'Only the first 100 rows were read' },
    ])
  })

  it('runs a hundred pieces of code for one response, and reports more', () => {
    const rows = Array.from({ length: 60 }, () => row('data.items[{{= new Date().getTime() =}}].sort(1)'))
    const evaluate: CodeResult = { ok: false, message: 'x is not a function', reason: 'thrown' }
    const all = rows.map(({ bodyPath }) => row(`${bodyPath} + {{= new Date() =}}`))
    const receipt = prepared(all, { V: null }, { evaluate }).receive(JSON.stringify({ data }))
    const description = 'Row 51 was not read: More than 100 pieces of code for one response'
    expect('logs' in receipt && receipt.logs?.[0]).toMatchObject({ description })
  })

  it('never takes a value for code', () => {
    const variables = { V: 'before', Evil: '0].n + data.total //' }
    expect(mapped([row('data.items[{{Evil}}]')], { variables })).toEqual({ vV: null })
  })

  it('reads what the response has itself', () => {
    const response = JSON.parse('{"__proto__":{"data":"inherited"}}')
    expect(mapped([row('data')], { response })).toEqual({ vV: null })
  })

  it('passes over rows that lack something', () => {
    const rows = [
      { id: 'm1' },
      { variableId: 'vV' },
      { bodyPath: 'data' },
      { variableId: '', bodyPath: 'data' },
      row('data', 'vX'),
    ]
    expect(mapped(rows)).toEqual({})
    expect(prepared(rows).findings).toEqual([])
  })

  it.each<[ResponseVariableMapping[number], object]>([
    [
      row('data.items['),
      { code: 'invalid-code', at: '/options/responseVariableMapping/1/bodyPath', severity: 'warning' },
    ],
    [
      row('/{{V}}/i.test(data.total)'),
      { code: 'invalid-pattern', at: '/options/responseVariableMapping/1/bodyPath', severity: 'warning' },
    ],
  ])('tells the author about %j', (doubtful, finding) => {
    expect(prepared([row('data'), doubtful]).findings).toMatchObject([finding])
  })

  it.each(['/total/.test(data.total)', 'new RegExp({{V}}).test(data.total)', '/a/ && {{V}}'])(
    'tells nothing about %j',
    (bodyPath) => {
      expect(prepared([row(bodyPath)]).findings).toEqual([])
    },
  )

  it('writes nothing for a variable that the flow lacks', () => {
    expect(mapped([row('data', 'vX'), row('data.total')])).toEqual({ vV: '3' })
  })
})
