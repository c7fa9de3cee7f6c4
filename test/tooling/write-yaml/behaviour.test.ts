import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../../src/definition/read-definition.ts'
import { compileYamlFlow } from '../../../src/definition/yaml-form/compile-yaml-flow.ts'
import { writeYaml } from '../../../src/tooling/write-yaml/write-yaml.ts'
import type { WriteOptions } from '../../../src/tooling/write-yaml/writing.ts'
import { arbitraryFlow, arbitraryInput, arbitraryStart, bodyOf } from '../../support/arbitrary-flow.ts'
import { openCaseWorld } from '../../support/case-world.ts'
import { type ConformanceCase, readConformanceFiles } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { asTwin, outcomeOf, sameIds, type TwinIds, twinIds } from '../../support/play-both.ts'
import { beginPublished, type Started } from '../../support/start.ts'

/** The definition that comes of a flow by way of YAML; writing that anew gives the same text. */
function byYaml(definition: Json, options: WriteOptions = {}): Json {
  const text = writeYaml(readDefinition(definition), options)
  const compiled = compileYamlFlow(text)
  expect(compiled.problems, text).toEqual([])
  expect(writeYaml(readDefinition(compiled.definition), options)).toBe(text)
  return compiled.definition as Json
}

const isRead = (definition: unknown) => {
  try {
    return readDefinition(definition) !== undefined
  } catch {
    return false
  }
}

/** The ids of items are sent by whoever clicks one. */
function clickedIn(request: unknown, { items }: TwinIds): unknown {
  const twins = new Map([...items].map(([right, left]) => [left, right]))
  const text = JSON.stringify(request ?? {})
  return JSON.parse(text, (key, value) => (key === 'replyId' ? (twins.get(value) ?? value) : value))
}

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

/** Cases in which a visitor says an id, one is a part of what goes to a client or another system, or a moment is. */
const toldIds = [
  /^takes the id of an item as text/,
  /^takes several choices at once: i-/,
  /^writes the variables that a model finds/,
  /^has a model of Anthropic find variables/,
  /^sends code to the client, the variables/,
  /^gives a variable an alias whose id is/,
  /^sends a mail, gives it a label/,
]

it.each(readConformanceFiles())('behaves the same by way of YAML: $path', async ({ cases }) => {
  for (const testCase of cases) {
    const { definition, description } = testCase
    if (!isRead(definition) || toldIds.some((told) => told.test(description))) continue
    const twin = byYaml(definition)
    const ids = twinIds({ left: readDefinition(definition) as unknown as Json, right: twin })
    const played = await play(testCase, definition, sameIds)
    expect(asTwin(await play(testCase, twin, ids), ids), description).toEqual(asTwin(played, sameIds))
  }
})

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
        sameConversation({ definition, twin: byYaml(definition, options), body, inputs }),
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
      const twin = byYaml(definition as Json)
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

async function play(testCase: ConformanceCase, definition: Json, ids: TwinIds): Promise<unknown[]> {
  const { request, publicRequest, linked, random, then = [] } = testCase
  const { chat, sent } = await openCaseWorld({ ...testCase, definition }, 'public')
  const begun = beginPublished({ definition, linked, random, body: { ...request, ...publicRequest }, chat })
  const started = (await outcomeOf(begun)) as Started
  if (!started.continue) return [started]
  const outcomes: unknown[] = [started.response]
  for (const turn of then) {
    outcomes.push(
      await outcomeOf(
        turn.operator
          ? started.operate(turn.operator)
          : turn.after
            ? started.after(turn.after)
            : started.continue(clickedIn(turn.request, ids) as Json),
      ),
    )
  }
  const result = await started.world.results.get(String(definition['id']), 'result-1')
  return [...outcomes, sent, result?.variables?.map(({ name, value }) => ({ name, value })) ?? null]
}
