import {
  bubble,
  edge,
  flowLink,
  group,
  leaving,
  setVariable,
  textInput,
} from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import type { RuleCase } from './rule-case.ts'

const variables = [{ id: 'vN', name: 'N' }]
const at = (index: number, list = 0) => `/groups/${list}/blocks/${index}`
const jump = (id: string, groupId: string) => ({ id, type: 'Jump', options: { groupId } })
const choice = (...items: Json[]) => ({
  id: 'c',
  type: 'choice input',
  items: items.map((item, index) => ({ id: `i${index}`, content: `C${index}`, ...item })),
})
const condition = (outgoingEdgeId?: string) => ({
  id: 'c',
  type: 'Condition',
  items: [
    {
      id: 'i',
      outgoingEdgeId,
      content: { comparisons: [{ id: 'q', variableId: 'vN', comparisonOperator: 'Equal to', value: '3' }] },
    },
  ],
})
const redirect = (id: string) => ({ id, type: 'Redirect', options: { url: 'a.example' } })
const request = (id: string) => ({ id, type: 'Webhook', options: { webhook: { url: 'https://a.example' } } })
const events = (...more: Json[]) => [{ id: 'start', type: 'start', outgoingEdgeId: 'e-start' }, ...more]
const two = (first: Json[], ...edges: Json[]) => ({
  variables,
  groups: [group('g1', ...first), group('g2', bubble('x'))],
  edges,
})
const many = <Made>(count: number, make: (index: number) => Made) =>
  Array.from({ length: count }, (_, index) => make(index))

export const paths: readonly RuleCase[] = [
  {
    code: 'no-start',
    finds: [[{ blocks: [bubble('a')], events: [{ id: 's', type: 'start' }] }, '/events/0']],
    spares: [{ blocks: [bubble('a')] }],
  },
  {
    code: 'unreachable-group',
    finds: [[{ groups: [group('g1', bubble('a')), group('g2')] }, '/groups/1']],
    spares: [{ groups: [group('g1', jump('a', 'g2')), group('g2')] }],
  },
  {
    code: 'unreachable-block',
    finds: [
      [two([jump('j', 'g2'), bubble('a'), bubble('b')]), at(1)],
      [two([leaving(textInput('i'), 'e'), bubble('a')], edge('e', 'g2')), at(1)],
      [two([leaving(setVariable('s', 'vN', '1'), 'e'), bubble('a')], edge('e', 'g2')), at(1)],
    ],
    spares: [
      two([bubble('a'), textInput('i'), bubble('b')]),
      {
        variables,
        groups: [group('g1', jump('j', 'g2'), bubble('a')), group('g2', { id: 'r', type: 'Return' })],
      },
      {
        variables,
        groups: [
          group('g1', leaving(textInput('i'), 'e'), bubble('a')),
          group('g2', leaving(bubble('x'), 'f')),
        ],
        edges: [edge('e', 'g2'), edge('f', 'g1', 'a')],
      },
      two([leaving(choice({}, { outgoingEdgeId: 'e' }), 'e'), bubble('a')], edge('e', 'g1', 'a')),
    ],
  },
  {
    code: 'way-out-missing',
    finds: [
      [two([choice({ outgoingEdgeId: 'e' }, {})], edge('e', 'g2')), `${at(0)}/items/1`],
      [
        {
          variables,
          groups: [
            group(
              'g1',
              { ...condition('e'), items: [...condition('e').items, { id: 'j', content: {} }] },
              bubble('a'),
            ),
          ],
          edges: [edge('e', 'g1')],
        },
        `${at(0)}/items/1`,
      ],
    ],
    spares: [
      two([choice({ outgoingEdgeId: 'e' }, { outgoingEdgeId: 'e' })], edge('e', 'g2')),
      two([choice({ outgoingEdgeId: 'e' }, {}), bubble('b')], edge('e', 'g2')),
      two([leaving(choice({ outgoingEdgeId: 'e' }, {}), 'e')], edge('e', 'g2')),
      two([choice({}, {})]),
    ],
  },
  {
    code: 'condition-without-else',
    finds: [[two([condition('e')], edge('e', 'g2')), at(0)]],
    spares: [
      two([leaving(condition('e'), 'e')], edge('e', 'g2')),
      two([condition('e'), bubble('b')], edge('e', 'g2')),
      two([flowLink('l', 'other'), condition('e')], edge('e', 'g2')),
    ],
  },
  {
    code: 'endless-loop',
    finds: [
      [{ blocks: [leaving(redirect('a'), 'e')], edges: [edge('e', 'g1')] }, at(0)],
      [{ blocks: [bubble('a'), jump('j', 'g1')] }, at(0)],
      [{ blocks: [bubble('a'), jump('j', ''), jump('k', 'g1')] }, at(0)],
      [
        {
          blocks: [
            bubble('a'),
            bubble('b'),
            { ...jump('j', 'g1'), options: { groupId: 'g1', blockId: 'b' } },
          ],
        },
        at(1),
      ],
      [{ groups: [group('g1', jump('j', 'g2')), group('g2', bubble('x'), jump('k', 'g1'))] }, at(0)],
    ],
    spares: [
      { blocks: [textInput('i'), leaving(redirect('a'), 'e')], edges: [edge('e', 'g1')] },
      { blocks: [bubble('a'), jump('j', 'gone')] },
      { blocks: [bubble('a'), textInput('i'), jump('j', 'g1')] },
      { blocks: [bubble('a'), condition(), jump('j', 'g1')], variables },
      { variables, blocks: [bubble('a'), jump('j', '{{N}}')] },
      { groups: [group('g1', jump('j', 'g1'), { id: 'r', type: 'Return' })] },
      two([bubble('a'), jump('j', 'g2')]),
    ],
  },
  {
    code: 'hot-loop',
    finds: [
      [
        two([bubble('a'), condition('e'), leaving(redirect('r'), 'f')], edge('e', 'g2'), edge('f', 'g1')),
        at(1),
      ],
      ...['Email', 'Pixel', 'image'].map((type): readonly [Json, string] => [
        two(
          [{ id: 'm', type }, condition('e'), leaving(redirect('r'), 'f')],
          edge('e', 'g2'),
          edge('f', 'g1'),
        ),
        at(1),
      ]),
      [two([bubble('a'), condition('e'), jump('j', 'g1')], edge('e', 'g2')), at(1)],
    ],
    spares: [
      two(
        [setVariable('s', 'vN', '{{N}} + 1'), condition('e'), leaving(redirect('r'), 'f')],
        edge('e', 'g2'),
        edge('f', 'g1'),
      ),
      two([textInput('i'), condition('e'), leaving(redirect('r'), 'f')], edge('e', 'g2'), edge('f', 'g1')),
      ...['Webhook', 'Wait', 'gmail', 'openai', 'Code', 'embed'].map((type) =>
        two(
          [{ id: 'w', type, items: [] }, condition('e'), leaving(redirect('r'), 'f')],
          edge('e', 'g2'),
          edge('f', 'g1'),
        ),
      ),
      two([bubble('a'), leaving(redirect('r'), 'f')], edge('f', 'g1')),
      two([bubble('a'), condition('e'), choice({ outgoingEdgeId: 'f' })], edge('e', 'g2'), edge('f', 'g1')),
      two([bubble('a'), condition('e'), leaving(redirect('r'), 'e')], edge('e', 'g2')),
    ],
  },
  {
    code: 'turn-over-budget',
    finds: [
      [{ blocks: many(25, (index) => request(`r${index}`)) }, at(20)],
      [{ groups: [group('g1', ...many(1_001, (index) => bubble(`b${index}`)))] }, at(1_000)],
      [
        {
          groups: [
            group('g1', ...many(11, (index) => request(`a${index}`)), leaving(condition('e'), 'f')),
            group('g2', ...many(20, (index) => request(`b${index}`)), jump('j', 'g3')),
            group('g3', ...many(21, (index) => request(`c${index}`))),
          ],
          variables,
          edges: [edge('e', 'g2'), edge('f', 'g3')],
        },
        at(20, 2),
      ],
      // Two ways come together: the one with more calls goes on.
      [
        {
          variables,
          groups: [
            group('g1', condition('e'), jump('j', 'g3')),
            group('g2', ...many(15, (index) => request(`a${index}`)), leaving(redirect('r'), 'f')),
            group('g3', ...many(10, (index) => request(`b${index}`))),
          ],
          edges: [edge('e', 'g2'), edge('f', 'g3')],
        },
        at(5, 2),
      ],
      [{ blocks: [textInput('i'), ...many(25, (index) => request(`r${index}`))] }, at(21)],
      ...['openai', 'OpenAI', 'Google Sheets', 'gmail', 'Email', 'Zapier', 'elevenlabs'].map(
        (type): readonly [Json, string] => [
          { blocks: many(21, (index) => ({ id: `c${index}`, type })) },
          at(20),
        ],
      ),
    ],
    spares: [
      { blocks: many(20, (index) => request(`r${index}`)) },
      { groups: [group('g1', ...many(1_000, (index) => bubble(`b${index}`)))] },
      ...['qr-code', 'zendesk', 'Pixel'].map((type) => ({
        blocks: many(21, (index) => ({ id: `c${index}`, type })),
      })),
      { blocks: many(40, (index) => (index === 19 ? textInput('i') : request(`r${index}`))) },
      { blocks: [leaving(redirect('a'), 'e')], edges: [edge('e', 'g1')] },
    ],
  },
  {
    code: 'event-without-effect',
    finds: [
      [
        { blocks: [bubble('a')], events: events({ id: 'r', type: 'Reply', outgoingEdgeId: 'e-start' }) },
        '/events/1/type',
      ],
      [{ blocks: [bubble('a')], events: events({ id: 'r', type: 'reply' }) }, '/events/1'],
      [
        { blocks: [bubble('a')], events: events({ id: 'c', type: 'command', outgoingEdgeId: 'e-start' }) },
        '/events/1',
      ],
      [
        {
          blocks: [bubble('a')],
          events: events(
            ...['c', 'd'].map((id) => ({
              id,
              type: 'command',
              outgoingEdgeId: 'e-start',
              options: { command: 'help' },
            })),
          ),
        },
        '/events/2/options/command',
      ],
    ],
    spares: [
      {
        blocks: [bubble('a')],
        events: events({ id: 'c', type: 'command', outgoingEdgeId: 'e-start', options: { command: 'help' } }),
      },
    ],
  },
  {
    code: 'return-without-jump',
    finds: [[{ blocks: [bubble('a'), { id: 'r', type: 'Return' }] }, at(1)]],
    spares: [
      { blocks: [jump('j', 'g1'), { id: 'r', type: 'Return' }] },
      { blocks: [{ id: 'r', type: 'Return' }], events: events({ id: 'y', type: 'reply' }) },
    ],
  },
  {
    code: 'silent-end',
    finds: [[{ blocks: [bubble('a'), textInput('i')] }, at(1)]],
    spares: [
      { blocks: [textInput('i'), bubble('thanks')] },
      two([choice({ outgoingEdgeId: 'e' })], edge('e', 'g2')),
    ],
  },
  {
    code: 'empty-group',
    finds: [
      [
        { groups: [group('g1', leaving(bubble('a'), 'e')), group('g2')], edges: [edge('e', 'g2')] },
        '/groups/1',
      ],
    ],
    spares: [two([leaving(bubble('a'), 'e')], edge('e', 'g2'))],
  },
]
