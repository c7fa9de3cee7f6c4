import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'

/** Shows a booking calendar in the browser, and waits for the booking. */
export const CalComBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('cal-com'),
  options: Type.Optional(
    PartialObject({
      action: Type.String({ examples: ['Book event'] }),
      baseUrl: Type.String({ description: 'Default https://app.cal.com' }),
      link: Type.String({ description: 'Of the event to book', examples: ['ada/30min'] }),
      layout: StringEnum(['Month', 'Weekly', 'Columns'], { description: 'Default Month' }),
      name: Type.String(),
      email: Type.String(),
      phone: Type.String({ description: 'Where the meeting takes place' }),
      additionalNotes: Type.String(),
      anyPrefilledInformations: Type.Array(
        PartialObject({ id: Id, questionId: Type.String(), value: Type.String() }),
      ),
      saveBookedDateInVariableId: Id,
    }),
  ),
})
export type CalComBlock = Static<typeof CalComBlock>
