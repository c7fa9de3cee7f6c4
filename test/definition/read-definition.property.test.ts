import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockSchemas } from '../../schemas/blocks/index.ts'
import { Flow, FlowDefinition } from '../../schemas/flow.ts'
import { tagsOf } from '../../schemas/tagged-union.ts'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { ServiceError } from '../../src/lib/errors.ts'

const json = fc.jsonValue({ maxDepth: 4 })
const type = fc.constantFrom('start', 'command', 'reply', 'hologram', ...blockSchemas.flatMap(tagsOf))

/** A value that is mostly what a definition has in its place, and sometimes anything. */
const likely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: json })
const record = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  likely(fc.record(fields, { requiredKeys: [], noNullPrototype: true }))
const listOf = (item: fc.Arbitrary<unknown>) => likely(fc.array(item, { maxLength: 4 }))
const id = likely(fc.string({ maxLength: 3 }))

const block = record({
  id,
  type: likely(type),
  outgoingEdgeId: id,
  options: json,
  content: json,
  items: json,
})
const group = record({ id, title: id, blocks: listOf(block), graphCoordinates: json })
const event = record({ id, type: likely(type), outgoingEdgeId: id, options: json })
const edge = record({ id, from: record({ blockId: id }), to: record({ groupId: id, blockId: id }) })
const variable = record({
  id,
  name: id,
  value: likely(fc.oneof(id, fc.array(id))),
  isSessionVariable: likely(fc.boolean()),
})
const definition = record({
  version: likely(fc.constantFrom('3', '4', '5', '6', '6.1', null)),
  id,
  groups: listOf(group),
  events: likely(fc.oneof(listOf(event), fc.constant([{ id: 'e', type: 'start' }]))),
  edges: listOf(edge),
  variables: listOf(variable),
  settings: record({ general: json }),
  theme: record({ chat: json }),
})

function resolves(pointer: string, root: unknown): boolean {
  const keys = pointer.split('/').slice(1)
  let value = root
  for (const [index, escaped] of keys.entries()) {
    const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null) return false
    if (!Object.hasOwn(value, key)) return index === keys.length - 1
    value = (value as Record<string, unknown>)[key]
  }
  return true
}

function refusal(raw: unknown): ServiceError | undefined {
  try {
    expect(Object.keys(readDefinition(raw))).toEqual(expect.arrayContaining(required))
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

const required = [...(Flow.required ?? [])]

describe.each([
  ['any JSON', json],
  ['anything like a definition', definition],
])('reading %s', (_, arbitrary) => {
  it('gives a flow, or problems whose places exist', () => {
    fc.assert(
      fc.property(arbitrary, (raw) => {
        const before = JSON.stringify(raw)
        const refused = refusal(raw)
        expect(JSON.stringify(raw)).toBe(before)
        if (!refused) return
        expect(refused.problems?.length).toBeGreaterThan(0)
        for (const { pointer } of refused.problems ?? []) expect(resolves(pointer, raw)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

it('reads again what it has read', () => {
  const [example] = FlowDefinition['examples'] as [object]
  const flow = readDefinition(example)
  expect(readDefinition(flow)).toEqual(flow)
})
