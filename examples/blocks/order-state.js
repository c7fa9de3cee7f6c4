import { callAccount, defineBlock, Type } from 'flow-runtime/blocks'

/** Looks an order up in the shop, with an account of the operator, and leaves by the item that says how it stands. */
export default defineBlock({
  kit: 1,
  type: 'acme/order state',
  kind: 'integration',
  description: 'Looks an order up in the shop',
  schema: Type.Object({
    credentialsId: Type.Optional(Type.String({ description: 'The account of the shop' })),
    order: Type.String({
      description: 'The number of the order; may hold placeholders',
      examples: ['{{Order}}'],
    }),
    saveStateInVariableId: Type.Optional(
      Type.String({ description: 'Receives the state, such as `shipped`' }),
    ),
  }),
  *run({ credentialsId, order, saveStateInVariableId }, { items }) {
    const path = `/orders/${encodeURIComponent(order)}`
    const answer = yield* callAccount({ account: credentialsId, path })
    if (answer.status === 404)
      return { assignments: [{ variableId: saveStateInVariableId, value: 'unknown' }], item: items[0]?.id }
    if (!answer.ok) {
      const details = answer.problem ?? `It answered ${answer.status}`
      return {
        logs: [{ status: 'error', description: 'The shop does not tell how the order stands', details }],
      }
    }
    const { state } = JSON.parse(answer.text)
    return { assignments: [{ variableId: saveStateInVariableId, value: String(state) }] }
  },
  marks: { calls: true, account: true },
  mock: { vendors: [{ reply: { json: { state: 'shipped' } } }] },
  cases: [
    {
      name: 'saves the state',
      options: { order: '{{Order}}', saveStateInVariableId: 'State' },
      variables: { Order: 'AB-123456', State: '' },
      steps: [{ called: { vendor: 'http', url: '…/orders/AB-123456' } }, { vars: { State: 'shipped' } }],
    },
  ],
})
