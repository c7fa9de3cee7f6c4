import type { Static } from '@sinclair/typebox'
import { blockBase, Id, NumberOrVariable, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'
import { ResponseItems, vendorOptions } from './common.ts'

const Button = PartialObject({
  id: Id,
  clientAction: PartialObject({
    type: StringEnum(['Open Link', 'Open Webview']),
    url: Type.String(),
  }),
  label: Type.String(),
  iconUrl: Type.String(),
})

const Section = PartialObject({
  id: Id,
  type: Type.String({
    description: 'What the section is, which decides what of the rest counts',
    examples: [
      ...['Header', 'Text', 'Labelled Text', 'Image', 'Image gallery', 'YouTube', 'Link', 'Buttons'],
      ...['Attachment', 'Event', 'Horizontal Bar Chart'],
    ],
  }),
  title: Type.String(),
  description: Type.String(),
  label: Type.String(),
  value: Type.String(),
  iconUrl: Type.String(),
  imageUrl: Type.String(),
  imageUrls: Type.Array(Type.String()),
  imagePlacement: StringEnum(['left', 'right', 'top']),
  fitImage: Type.Boolean(),
  width: NumberOrVariable,
  height: NumberOrVariable,
  link: Type.String({ description: '`YouTube`' }),
  url: Type.String(),
  buttons: Type.Array(Button),
  start: Type.String({ examples: ['2026-11-20T08:00:00Z'] }),
  end: Type.String(),
  allDay: Type.Boolean(),
  total: NumberOrVariable,
  data: Type.Array(
    PartialObject({ id: Id, name: Type.String(), value: NumberOrVariable, label: Type.String() }),
  ),
})

/** Reads users of Blink, puts a card into their feeds, or leads them on inside of its app. */
export const BlinkBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('blink'),
  options: Type.Optional(
    PartialObject({
      ...vendorOptions('Get Users', 'Send Feed Event', 'Redirect'),
      filter: PartialObject({
        type: StringEnum(['User ID', 'Employee ID']),
        userId: Type.String(),
        employeeId: Type.String(),
      }),
      categoryId: Type.String({ description: '`Send Feed Event`' }),
      ribbonColor: Type.String({ examples: ['#FF0000'] }),
      sections: Type.Array(Section),
      allowComments: Type.Boolean(),
      allowReactions: Type.Boolean(),
      userIds: Type.Array(Type.String()),
      groupIds: Type.Array(Type.String()),
      pushNotification: PartialObject({ title: Type.String(), text: Type.String() }),
      url: Type.String({ description: '`Redirect`' }),
      responseMapping: ResponseItems(
        'Of `Get Users` a field of theirs, such as `Emails`; of an event `Event ID`',
      ),
    }),
  ),
})
export type BlinkBlock = Static<typeof BlinkBlock>
