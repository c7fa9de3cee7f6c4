import { bubble, textInput, variable } from '../../test/fixtures/short-flows.ts'
import { wholeDefinition } from '../../test/support/conformance.ts'
import type { Json } from '../../test/support/json.ts'

/** Never ends by itself; no two are alike. */
export const endlessScript = (index: number): Json =>
  wholeDefinition({
    blocks: [
      {
        id: 'endless',
        type: 'Code',
        options: { content: `for (;;); // ${index}`, isExecutedOnClient: false },
      },
      textInput('last'),
    ],
  })

/** Says one thing for ever. */
export const bubbleLoop = (index: number): Json =>
  wholeDefinition({
    groups: [
      {
        id: 'g1',
        title: `Loop ${index}`,
        blocks: [{ ...bubble('again', 'Once more, {{Name}}'), outgoingEdgeId: 'e-again' }],
      },
    ],
    edges: [{ id: 'e-again', to: { groupId: 'g1' } }],
    variables: [variable('Name', { value: 'Ada' })],
  })

/** Compares by a pattern that backtracks for longer than anybody lives. */
export const catastrophicPattern = (index: number): Json =>
  wholeDefinition({
    blocks: [
      {
        id: 'compares',
        type: 'Condition',
        items: [
          {
            id: 'item',
            content: {
              comparisons: [
                {
                  id: 'c1',
                  variableId: 'vText',
                  comparisonOperator: 'Matches regex',
                  value: `(?=(a|aa)+$)b${index}`,
                },
              ],
            },
          },
        ],
      },
      textInput('last'),
    ],
    variables: [variable('Text', { value: 'a'.repeat(60) })],
  })
