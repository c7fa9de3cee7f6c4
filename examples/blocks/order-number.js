import { defineBlock, Type } from 'flow-runtime/blocks'

/** Asks for the number of an order, and takes it as people write it: ` ab 12-34 56` is `AB-123456`. */
export default defineBlock({
  kit: 1,
  type: 'acme/order number',
  kind: 'input',
  description: 'Asks for the number of an order',
  schema: Type.Object({
    variableId: Type.Optional(Type.String({ description: 'The variable that receives the number' })),
    placeholder: Type.Optional(Type.String({ description: 'Shown while the field is empty' })),
  }),
  view: {
    type: 'text input',
    block: ({ variableId, placeholder = 'AB-123456' }) => ({
      options: { ...(variableId && { variableId }), labels: { placeholder } },
    }),
  },
  reply(text) {
    const [, letters, digits] = /^([A-Z]{2})(\d{6})$/.exec(text.toUpperCase().replace(/[\s-]/g, '')) ?? []
    return letters
      ? { accepts: `${letters}-${digits}` }
      : { refuses: 'it is no order number, such as AB-123456' }
  },
  marks: { usualAnswers: ['AB-123456'] },
  cases: [
    {
      name: 'takes a number as people write it',
      options: { variableId: 'Order' },
      variables: { Order: '' },
      steps: [{ asks: 'text input' }, { says: ' ab 12-34 56' }, { vars: { Order: 'AB-123456' } }],
    },
    {
      name: 'asks again for anything else',
      options: {},
      steps: [{ says: 'I forgot' }, { refused: true }, { asks: 'text input' }],
    },
  ],
})
