import { expect, it } from 'vitest'
import { bubble, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { beginPreview, sessionOf } from '../../support/start.ts'

const asking = wholeDefinition({
  variables: [variable('Text')],
  groups: [
    {
      id: 'g1',
      title: 'Loop',
      blocks: [
        { ...textInput('i'), options: { variableId: 'vText' } },
        { id: 'j', type: 'Jump', options: { groupId: 'g1' } },
      ],
    },
  ],
})

it('keeps the last turns of a long session', async () => {
  const session = await beginPreview({ definition: asking, body: { trace: true } })
  for (let nth = 2; nth <= 250; nth++) await session.continue({ message: { type: 'text', text: 'x' } })
  const { trace } = (await sessionOf(session.world, 'session-1')) ?? {}
  expect([trace?.turns, trace?.kept.length, trace?.kept[0]?.turn]).toEqual([250, 200, 51])
})

it('bounds the turns by their length too, and keeps the last one whatever that takes', async () => {
  const blocks = [
    ...Array.from({ length: 150 }, (_, index) => bubble(`b${index}`, '{{Text}}')),
    setVariable('s', 'vText', '{{Text}}'),
    textInput('i'),
    { id: 'j', type: 'Jump', options: { groupId: 'g1' } },
  ]
  const definition = wholeDefinition({ variables: [variable('Text', { value: 'x'.repeat(1000) })], blocks })
  const session = await beginPreview({ definition, body: { trace: true } })
  for (let nth = 2; nth <= 5; nth++) await session.continue({ message: { type: 'text', text: 'x' } })
  const { trace } = (await sessionOf(session.world, 'session-1')) ?? {}
  expect(JSON.stringify(trace?.kept).length).toBeLessThan(400_000)
  expect(trace?.kept.at(-1)?.turn).toBe(5)
  expect(trace?.kept.at(-1)?.isCut).toBe(true)
})
