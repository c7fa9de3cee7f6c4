/** A small flow for the examples of the OpenAPI document. */
export const sampleFlow = {
  version: '6.1',
  id: 'flow-1',
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e1' }],
  groups: [
    {
      id: 'g1',
      title: 'Welcome',
      blocks: [
        {
          id: 'b1',
          type: 'text',
          content: { richText: [{ type: 'p', children: [{ text: 'Hello {{Name}}' }] }] },
        },
        { id: 'b2', type: 'text input', options: { labels: { placeholder: 'Your answer' } } },
      ],
    },
  ],
  edges: [{ id: 'e1', to: { groupId: 'g1' } }],
  variables: [{ id: 'v1', name: 'Name', value: 'Ada' }],
  settings: {},
  theme: {},
}

/** The session that the examples start, and then go on with. */
export const sampleSessionId = 'pv7Qm2XkT9sLw4ZbR8cYd'

/** Output of a start of the sample flow. */
export const sampleOutput = {
  messages: [
    {
      id: 'b1',
      type: 'text',
      content: {
        type: 'richText',
        richText: [{ type: 'p', children: [{ text: 'Hello ' }, { text: 'Ada' }] }],
      },
    },
  ],
  input: { id: 'b2', type: 'text input', options: { labels: { placeholder: 'Your answer' } } },
}
