import { expect, it } from 'vitest'
import type { Json } from '../../support/json.ts'
import { lintBy } from '../../support/lint.ts'

const block = (type: string, more: Json) => ({ blocks: [{ id: 'b', type, ...more }] })
const hintOf = (definition: Json) =>
  lintBy('undeclared-key', { $schema: 'flow.schema.json', ...definition })[0]?.hint

const waitKeys = 'Known are: secondsToWaitFor, shouldPause, until, onWeekdays, timeZone, whenAnswered.'

it.each([
  [block('Webhook', { options: { webhook: { methd: 'GET' } } }), 'Did you mean "method"?'],
  [block('number input', { options: { maximum: 2 } }), 'Did you mean "max"?'],
  [block('Webhook', { url: 'https://a.example' }), 'It belongs into "options.webhook".'],
  [block('text input', { variableId: 'v' }), 'It belongs into "options".'],
  [block('Wait', { options: { zz: 1 } }), waitKeys],
  [block('Wait', { options: { se: 1 } }), waitKeys],
  [block('Wait', { options: { sec: 1 } }), 'Did you mean "secondsToWaitFor"?'],
])('says what was meant: %j', (definition, hint) => {
  expect(hintOf(definition)).toBe(hint)
})

it('looks at any file where a level is set for it', () => {
  const definition = block('Wait', { note: 'x' })
  expect(lintBy('undeclared-key', definition)).toEqual([])
  const options = { rules: { 'undeclared-key': 'warning' } } as const
  expect(lintBy('undeclared-key', definition, { options })).toMatchObject([{ severity: 'warning' }])
})

it('looks at each of many edges', () => {
  const edges = Array.from({ length: 450 }, (_, index) => ({ id: `e${index}`, to: { groupId: 'g1' }, x: 1 }))
  const found = lintBy('undeclared-key', { $schema: 's', ...block('Wait', {}), edges: [...edges] })
  expect(found).toHaveLength(450)
})
