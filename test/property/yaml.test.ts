import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { compileYamlFlow } from '../../src/definition/yaml-form/compile-yaml-flow.ts'
import { writeYaml } from '../../src/tooling/write-yaml/write-yaml.ts'
import { arbitraryFlow, arbitraryInput, arbitraryStart, bodyOf } from '../support/arbitrary-flow.ts'
import { byYaml } from '../support/by-yaml.ts'
import type { Json } from '../support/json.ts'
import { asTwin, outcomeOf, sameIds, twinIds } from '../support/play-both.ts'
import { beginPublished, type Started } from '../support/start.ts'

/** A choice by its place in the other flow's input. */
function replyTo(input: unknown, shown: unknown, other: unknown): unknown {
  const replyId = Object(input).replyId
  const idsIn = (response: unknown) => {
    const items: Json[] = Object(Object(response).input).items ?? []
    return items.flatMap(({ id, paths }) => [
      id,
      ...((paths as Json[] | undefined) ?? []).map((path) => path['id']),
    ])
  }
  const at = idsIn(shown).indexOf(replyId)
  return at === -1 ? input : { ...(input as Json), replyId: idsIn(other)[at] }
}

describe.each([
  ['ids that are made anew', {}],
  ['every id', { keepsIds: true }],
] as const)('any flow by way of YAML, with %s', (_, options) => {
  it('behaves the same', async () => {
    const conversation = fc.tuple(
      arbitraryFlow as fc.Arbitrary<Json>,
      arbitraryStart as fc.Arbitrary<Json>,
      fc.array(arbitraryInput, { maxLength: 5 }),
    )
    await fc.assert(
      fc.asyncProperty(conversation, ([definition, body, inputs]) =>
        sameConversation({ definition, twin: byYaml(readDefinition(definition), options), body, inputs }),
      ),
      { numRuns: 50 },
    )
  })
})

/** Steps that hold steps of their own. */
const { steps: arbitrarySteps } = fc.letrec<{
  readonly steps: unknown[]
  readonly step: unknown
  readonly way: unknown
}>((tie) => ({
  steps: fc
    .tuple(
      fc.array(tie('step'), { minLength: 1, maxLength: 3, depthIdentifier: 'steps' }),
      fc.constantFrom([], [], [{ end: null }], [{ go: 'Other' }], [{ jump: 'Other' }], [{ return: null }]),
    )
    .map(([list, end]) => [...list, ...end]),
  way: fc.oneof({ depthIdentifier: 'steps', maxDepth: 4 }, fc.constant('Other'), tie('steps')),
  step: fc.oneof(
    { depthIdentifier: 'steps', maxDepth: 4 },
    fc.constantFrom('One.', 'Two.', { ask: 'Name?', into: 'Name' }, { set: { Name: 'x' } }),
    fc
      .tuple(fc.constantFrom('Name is "x"', 'Name is empty'), tie('way'))
      .map(([when, way]) => ({ if: when, to: way })),
    fc.tuple(tie('way'), tie('way')).map(([one, other]) => ({ if: 'Name is "x"', to: one, else: other })),
    fc.tuple(tie('way'), tie('way')).map(([a, b]) => ({ split: 50, a, b })),
    fc.tuple(tie('way'), tie('way'), tie('way')).map(([one, two, otherwise]) => ({
      cases: [
        { if: 'Name is "x"', to: one },
        { if: 'Name is empty', to: two },
      ],
      else: otherwise,
    })),
    fc.tuple(tie('way'), tie('way')).map(([one, two]) => ({
      ask: 'Which?',
      choices: [{ Yes: one }, { label: 'No', to: two }, 'Neither'],
    })),
  ),
}))

it('any steps inside steps behave the same by way of YAML, which keeps them inside', async () => {
  const said = fc.constantFrom('x', 'Yes', 'No', 'Neither', 'something')
  await fc.assert(
    fc.asyncProperty(arbitrarySteps, fc.array(said, { maxLength: 5 }), async (steps, words) => {
      const flow = { flow: 'f', variables: ['Name'], groups: { Start: steps, Other: ['Other.'] } }
      const { definition, problems } = compileYamlFlow(JSON.stringify(flow))
      fc.pre(problems.length === 0)
      const twin = byYaml(readDefinition(definition))
      const titles = writeYaml(readDefinition(twin)).match(/^ {2}\S.*:$/gm)
      expect(titles).toEqual(['  Start:', '  Other:'])
      await sameConversation({ definition: definition as Json, twin, body: {}, inputs: words })
    }),
    { numRuns: 50 },
  )
})

interface Conversation {
  readonly definition: Json
  readonly twin: Json
  readonly body: Json
  readonly inputs: readonly unknown[]
}

async function sameConversation({ definition, twin, body, inputs }: Conversation): Promise<void> {
  const ids = twinIds({ left: definition, right: twin })
  const begin = (flow: Json) =>
    outcomeOf(beginPublished({ definition: flow, body, random: [0.1, 0.9, 0.5] })) as Promise<Started>
  const [one, other] = [await begin(definition), await begin(twin)]
  let [shown, twins]: unknown[] = [one.response ?? one, other.response ?? other]
  expect(asTwin(twins, ids)).toEqual(asTwin(shown, sameIds))
  if (!one.continue) return
  for (const input of inputs) {
    const said = bodyOf(replyTo(input, shown, twins))
    shown = await outcomeOf(one.continue(bodyOf(input)))
    twins = await outcomeOf(other.continue(said))
    expect(asTwin(twins, ids)).toEqual(asTwin(shown, sameIds))
  }
}
