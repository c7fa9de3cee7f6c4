import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { readDefinition } from '../../../src/definition/read-definition.ts'
import { stepKeys } from '../../../src/definition/yaml-form/build-step.ts'
import { compileYamlFlow } from '../../../src/definition/yaml-form/compile-yaml-flow.ts'
import { ServiceError } from '../../../src/lib/errors.ts'

const word = fc.constantFrom('A', 'B', 'Name', 'A > x', 'Name is "a" or Age > 3', '{{Name}}', '', 'true', '1')
const key = fc.constantFrom(
  ...stepKeys,
  'to',
  'then',
  'else',
  'into',
  'id',
  'label',
  'when',
  'items',
  'a',
  'x',
)

/** Values that look like steps, and are mostly wrong. */
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, word, fc.integer(), fc.constant(null), tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(fc.oneof(key, word), tie('value'), { maxKeys: 4, noNullPrototype: true }),
}))
const flow = fc.record({
  flow: fc.constant('f'),
  variables: fc.constant({ Name: null, Age: 3 }),
  start: fc.option(value, { nil: undefined }),
  events: fc.option(value, { nil: undefined }),
  groups: fc.dictionary(word, fc.oneof(fc.array(value, { maxLength: 5 }), value), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
})

describe('compiling', () => {
  it('never throws, gives the same again, and what has no problem is read or refused with places', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          flow.map((made) => stringify(made)),
          value.map((made) => stringify(made)),
          fc.string(),
        ),
        (text) => {
          const compiled = compileYamlFlow(text)
          expect(compileYamlFlow(text).definition).toEqual(compiled.definition)
          expect(compileYamlFlow(text).problems).toEqual(compiled.problems)
          for (const { start, end } of compiled.problems)
            expect(start <= end && end <= text.length).toBe(true)
          if (compiled.problems.length > 0) return
          try {
            readDefinition(compiled.definition)
          } catch (error) {
            expect(error).toBeInstanceOf(ServiceError)
            for (const { pointer } of (error as ServiceError).problems ?? []) {
              const { start, end } = compiled.spanOf(pointer)
              expect(start >= 0 && end <= text.length).toBe(true)
            }
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('keeps the ids of all that stands while something else is added anywhere', () => {
    const base: readonly unknown[] = [
      'Hello there',
      { ask: 'Who?', into: 'Name' },
      { as: 'number' },
      { choices: ['Yes', { No: ['Oh.'] }] },
      { wait: 2 },
    ]
    const more = fc.constantFrom<unknown>(
      'A new text',
      { ask: 'Old?', into: 'Age' },
      { set: { Age: 1 } },
      { redirect: 'https://a.example' },
    )
    const idsOf = (steps: readonly unknown[], groups: object) => {
      const made = { flow: 'f', variables: ['Name', 'Age'], groups: { ...groups, Main: steps } }
      const { definition, problems } = compileYamlFlow(stringify(made))
      expect(problems).toEqual([])
      const [, blocks = []] = [0, readDefinition(definition).groups.flatMap((group) => group.blocks)]
      return blocks.flatMap((block) => [
        block.id,
        ...('items' in block ? (block.items ?? []).map(({ id }) => id) : []),
      ])
    }
    const before = idsOf(base, {})
    fc.assert(
      fc.property(fc.nat(base.length), more, fc.boolean(), (index, step, hasGroup) => {
        const after = new Set(
          idsOf(
            [...base.slice(0, index), step, ...base.slice(index)],
            hasGroup ? { Another: ['Hello there'] } : {},
          ),
        )
        expect(before.filter((id) => !after.has(id))).toEqual([])
      }),
    )
  })
})
