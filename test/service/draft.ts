import type { Visit } from './visitor.ts'

const client = (id: string, expressionToEvaluate: string) => ({
  id: `set-${id}`,
  type: 'Set variable',
  options: { variableId: id, isExecutedOnClient: true, expressionToEvaluate },
})

/** A draft of what the sample flows leave out: a time, and everything that a browser has to send back. */
export const draftFor = (address: string) => ({
  version: '6.1',
  id: 'draft',
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
  groups: [
    {
      id: 'g1',
      title: 'All',
      blocks: [
        { id: 'time', type: 'time input', options: { variableId: 'vTime' } },
        client('vLength', 'return {{Time}}.length * 2'),
        { id: 'pause', type: 'Wait', options: { secondsToWaitFor: '0.01', shouldPause: true } },
        {
          id: 'call',
          type: 'Webhook',
          options: {
            isExecutedOnClient: true,
            webhook: { url: `${address}/health`, method: 'GET' },
            responseVariableMapping: [{ id: 'm1', variableId: 'vHealth', bodyPath: 'data.status' }],
          },
        },
        {
          id: 'called',
          type: 'webhook',
          options: {
            responseVariableMapping: [{ id: 'm2', variableId: 'vState', bodyPath: 'data.state' }],
          },
        },
        {
          id: 'sum',
          type: 'text',
          content: {
            richText: [{ type: 'p', children: [{ text: '{{Time}} {{Length}} {{Health}} {{State}}' }] }],
          },
        },
      ],
    },
  ],
  edges: [{ id: 'e1', to: { groupId: 'g1' } }],
  variables: ['Time', 'Length', 'Health', 'State'].map((name) => ({ id: `v${name}`, name })),
  settings: {},
  theme: {},
})

/** Whoever tries the draft out. */
export const draftVisit: Visit = {
  title: 'its author',
  lines: [
    { at: 'time input', says: 'half past', isRefused: true },
    { at: 'time input', says: '14:30' },
  ],
  endsWith: '14:30 10 ok called',
}
