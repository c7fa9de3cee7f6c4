import { describe, expect, it } from 'vitest'
import type { Flow } from '../../../schemas/flow.ts'
import { readDefinition } from '../../../src/definition/read-definition.ts'
import { compileYamlFlow } from '../../../src/definition/yaml-form/compile-yaml-flow.ts'

/** A flow whose first group has these steps. */
const flowOf = (steps: string) => `
flow: f
variables: { Name: , First name: , List: }
groups:
  Main:
${steps.trim().replace(/^/gm, '    ')}
  Other:
    - Bye.
`

function compile(steps: string): Flow {
  const { definition, problems } = compileYamlFlow(flowOf(steps))
  expect(problems).toEqual([])
  return readDefinition(definition)
}

/** Blocks of the first group, without their ids and edges. */
const blocksOf = (steps: string) =>
  compile(steps).groups[0]?.blocks.map(({ id: _, outgoingEdgeId: __, ...block }) => block)

const item = (id: string, more: object) => ({ id, ...more })

/** Each kind of step, and the blocks that it stands for. */
const kinds: readonly (readonly [steps: string, blocks: readonly object[]])[] = [
  ['- Hello **you**', [{ type: 'text', content: { markdown: 'Hello **you**' } }]],
  ['- 12', [{ type: 'text', content: { markdown: '12' } }]],
  ['- say: |\n    Two\n    lines', [{ type: 'text', content: { markdown: 'Two\nlines' } }]],
  ['- text: a *plain* one', [{ type: 'text', content: 'a *plain* one' }]],
  ['- text: { richText: [{ text: a }] }', [{ type: 'text', content: { richText: [{ text: 'a' }] } }]],
  [
    '- image: https://a.example/b.png\n  clickLink: { url: https://a.example }',
    [{ type: 'image', content: { url: 'https://a.example/b.png', clickLink: { url: 'https://a.example' } } }],
  ],
  [
    '- video: { url: https://a.example, height: 3 }',
    [{ type: 'video', content: { url: 'https://a.example', height: 3 } }],
  ],
  [
    '- ask: Who?\n  into: Name\n  labels: { placeholder: 12 }',
    [
      { type: 'text', content: { markdown: 'Who?' } },
      { type: 'text input', options: { labels: { placeholder: '12' }, variableId: 'Name' } },
    ],
  ],
  ['- as: email', [{ type: 'email input' }]],
  [
    '- email input: { variableId: First name }',
    [{ type: 'email input', options: { variableId: 'First name' } }],
  ],
  [
    '- as: choice\n  dynamicVariableId: List',
    [{ type: 'choice input', options: { dynamicVariableId: 'List' }, items: [] }],
  ],
  [
    '- choices: [A, { label: B, when: Name is set, value: 2 }]',
    [
      {
        type: 'choice input',
        items: [
          item('main-choice-a', { content: 'A' }),
          item('main-choice-b', {
            content: 'B',
            value: '2',
            displayCondition: {
              isEnabled: true,
              condition: {
                logicalOperator: 'AND',
                comparisons: [{ id: 'c1', variableId: 'Name', comparisonOperator: 'Is set' }],
              },
            },
          }),
        ],
      },
    ],
  ],
  [
    '- as: picture choice\n  choices: [{ label: A, pictureSrc: https://a.example }, B]',
    [
      {
        type: 'picture choice input',
        items: [
          item('main-picture-choice-a', { title: 'A', pictureSrc: 'https://a.example' }),
          item('main-picture-choice-b', { title: 'B' }),
        ],
      },
    ],
  ],
  [
    '- as: cards\n  choices: [{ label: A, when: Name is "x", buttons: [Take] }]',
    [
      {
        type: 'cards',
        items: [
          item('main-cards-a', {
            title: 'A',
            options: {
              displayCondition: {
                isEnabled: true,
                condition: {
                  logicalOperator: 'AND',
                  comparisons: [{ id: 'c1', variableId: 'Name', comparisonOperator: 'Equal to', value: 'x' }],
                },
              },
            },
            paths: [item('main-cards-a-take', { text: 'Take' })],
          }),
        ],
      },
    ],
  ],
  [
    '- set: { Name: "{{First name}} + 1", First name: , List: [a, 2] }',
    [
      { type: 'Set variable', options: { variableId: 'Name', expressionToEvaluate: '{{First name}} + 1' } },
      { type: 'Set variable', options: { variableId: 'First name', type: 'Empty' } },
      { type: 'Set variable', options: { variableId: 'List', expressionToEvaluate: '["a",2]' } },
    ],
  ],
  [
    '- set: { Name: { type: Today } }',
    [{ type: 'Set variable', options: { variableId: 'Name', type: 'Today' } }],
  ],
  [
    '- request: https://a.example\n  method: PUT\n  headers: { a: 1 }\n  body: { b: 2 }\n  timeout: 5\n  into: { Name: data.c }',
    [
      {
        type: 'Webhook',
        options: {
          webhook: {
            url: 'https://a.example',
            method: 'PUT',
            headers: [{ key: 'a', value: '1' }],
            body: '{"b":2}',
          },
          isCustomBody: true,
          timeout: 5,
          responseVariableMapping: [{ variableId: 'Name', bodyPath: 'data.c' }],
        },
      },
    ],
  ],
  ['- wait: 2\n  shouldPause: true', [{ type: 'Wait', options: { secondsToWaitFor: 2, shouldPause: true } }]],
  ['- redirect: https://a.example', [{ type: 'Redirect', options: { url: 'https://a.example' } }]],
  ['- code: alert(1)', [{ type: 'Code', options: { content: 'alert(1)' } }]],
  ['- jump: Other', [{ type: 'Jump', options: { groupId: 'other' } }]],
  ['- jump: Other > other-bye', [{ type: 'Jump', options: { groupId: 'other', blockId: 'other-bye' } }]],
  ['- jump: "{{Name}}"', [{ type: 'Jump', options: { groupId: '{{Name}}' } }]],
  ['- return:', [{ type: 'Return' }]],
  [
    '- link: current\n  groupId: Other',
    [{ type: 'Flow link', options: { flowId: 'current', groupId: 'other' } }],
  ],
  [
    '- handoff: Support\n  deadline: PT5M',
    [{ type: 'Handoff', options: { who: 'Support', deadline: 'PT5M' } }],
  ],
  [
    '- split: 30',
    [
      {
        type: 'AB test',
        options: { aPercent: 30 },
        items: [item('main-split-a', { path: 'a' }), item('main-split-b', { path: 'b' })],
      },
    ],
  ],
  ['- mail: { recipients: [a@b.example] }', [{ type: 'Email', options: { recipients: ['a@b.example'] } }]],
  [
    '- openai: { model: m }\n  into: { Name: Message content }',
    [
      {
        type: 'openai',
        options: { model: 'm', responseMapping: [{ variableId: 'Name', item: 'Message content' }] },
      },
    ],
  ],
  ['- acme/slack message: { text: a }', [{ type: 'acme/slack message', options: { text: 'a' } }]],
  [
    '- type: hologram\n  options: { saveInVariableId: Name }\n  lint: { ignore: [x] }',
    [{ type: 'hologram', options: { saveInVariableId: 'Name' }, lint: { ignore: ['x'] } }],
  ],
]

describe('a step', () => {
  it.each(kinds)('is compiled: %s', (steps, blocks) => {
    expect(blocksOf(steps)).toEqual(blocks)
  })
})

/** Where the edges lead, by the blocks, items and events that they leave: `group`, or `group > block`. */
function ways(steps: string): Record<string, string> {
  const { groups, events, edges } = compile(steps)
  const to = new Map(
    edges.map((edge) => [edge.id, [edge.to.groupId, edge.to.blockId].filter(Boolean).join(' > ')]),
  )
  const blocks = groups.flatMap((group) => group.blocks)
  const items = blocks.flatMap((block) => ('items' in block ? (block.items ?? []) : []))
  return Object.fromEntries(
    [...events.slice(1), ...blocks, ...items]
      .filter(({ outgoingEdgeId }) => outgoingEdgeId !== undefined)
      .map(({ id, outgoingEdgeId }) => [id, to.get(outgoingEdgeId ?? '') ?? 'nowhere']),
  )
}

describe('a way', () => {
  it.each([
    ['- A\n- go: Other', { 'main-a': 'other' }],
    ['- A\n- go: Other > other-bye', { 'main-a': 'other > other-bye' }],
    ['- A\n- go: { group: Other, step: other-bye }', { 'main-a': 'other > other-bye' }],
    ['- as: email\n  to: Other\n- B', { 'main-email': 'other' }],
    ['- choices: [A, B: Other]', { 'main-choice-b': 'other' }],
    // Steps of a way go on below.
    ['- choices: [A: [Hm.]]\n- B', { 'main-choice-a': 'main-choice-a', 'main-choice-a-hm': 'main > main-b' }],
    ['- choices: [A: [Hm., end: ]]\n- B', { 'main-choice-a': 'main-choice-a' }],
    ['- choices: [A: [go: Other]]\n- B', { 'main-choice-a': 'other' }],
    [
      '- choices: [A: [Hm.]]\n- go: Other',
      { 'main-choice': 'other', 'main-choice-a': 'main-choice-a', 'main-choice-a-hm': 'other' },
    ],
    // Also those inside of others.
    [
      '- if: Name is set\n  then:\n    - choices: [A: [Hm.]]\n- B',
      {
        'main-if-name-is-set-then': 'main-if-name-is-set-then',
        'main-if-name-is-set-then-choice': 'main > main-b',
        'main-if-name-is-set-then-choice-a': 'main-if-name-is-set-then-choice-a',
        'main-if-name-is-set-then-choice-a-hm': 'main > main-b',
      },
    ],
    [
      '- if: Name is set\n  to: Other\n  else: [end: ]\n- B',
      { 'main-if-name-is-set': 'main-if-name-is-set', 'main-if-name-is-set-then': 'other' },
    ],
    ['- if: Name is set\n  then: [end: ]\n- B', {}],
    [
      '- cases:\n    - { if: Name is "a", to: Other }\n    - { if: Name is "b", then: [] }\n- B',
      { 'main-if-name-is-a-name-is-a': 'other', 'main-if-name-is-a-name-is-b': 'main > main-b' },
    ],
    // A condition that mixes both needs several items, all of which lead the same way.
    [
      '- if: Name is "a" and (List is set or First name is set)\n  to: Other',
      { 'main-if-name-is-a-and-then': 'other', 'main-if-name-is-a-and-then-2': 'other' },
    ],
    ['- split:\n  a: Other\n  b: [end: ]\n- B', { 'main-split-a': 'other', 'main-split-b': 'main-split-b' }],
    ['- handoff: S\n  else: Other\n- B', { 'main-handoff-else': 'other' }],
    ['- as: cards\n  choices: [{ label: A, buttons: [T: Other] }]', {}],
  ])('leads on: %s', (steps, expected) => {
    expect(ways(steps)).toEqual(expected)
  })

  it('leads from a button of a card', () => {
    const [group] = compile('- as: cards\n  choices: [{ label: A, buttons: [T: Other] }]').groups
    expect(group?.blocks[0]).toMatchObject({
      items: [{ paths: [{ text: 'T', outgoingEdgeId: 'main-cards-a-t-way' }] }],
    })
  })

  it('at the beginning of a group is a jump', () => {
    expect(blocksOf('- go: Other')).toEqual([{ type: 'Jump', options: { groupId: 'other' } }])
  })
})

describe('a flow', () => {
  it('has its start, and other events with their ways', () => {
    const { definition, problems } = compileYamlFlow(
      `flow: f\nstart: B\nevents:\n  - command: help\n    to: A\n  - idle: PT5M\n    atMost: 2\n    groupIds: [B]\n    to: { group: A, step: x }\ngroups: { A: [x], B: [y] }`,
    )
    expect(problems).toEqual([])
    expect(definition).toMatchObject({
      version: '6.1',
      events: [
        { id: 'start', type: 'start', outgoingEdgeId: 'start-way' },
        { id: 'command-help', type: 'command', options: { command: 'help' } },
        { id: 'idle-pt5m', type: 'idle', options: { after: 'PT5M', atMost: 2, groupIds: ['b'] } },
      ],
      edges: [{ to: { groupId: 'b' } }, { to: { groupId: 'a' } }, { to: { groupId: 'a', blockId: 'x' } }],
    })
  })

  it('may be of a version without events', () => {
    const { definition } = compileYamlFlow('flow: f\nversion: 5\ngroups: { A: [{ start: , to: B }], B: [x] }')
    const { version, events, edges } = readDefinition(definition)
    expect({ version, events, edges }).toMatchObject({
      version: '5',
      events: [{ type: 'start', outgoingEdgeId: 'a-start-way' }],
      edges: [{ to: { groupId: 'b' } }],
    })
  })
})
