import type { Static } from '@sinclair/typebox'
import { blockBase, Id, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'

const eventTypes = [
  'Custom',
  'Lead',
  'Contact',
  'CompleteRegistration',
  'Schedule',
  'SubmitApplication',
  'ViewContent',
  'AddPaymentInfo',
  'AddToCart',
  'AddToWishlist',
  'CustomizeProduct',
  'Donate',
  'FindLocation',
  'InitiateCheckout',
  'Purchase',
  'Search',
  'StartTrial',
  'Subscribe',
] as const

/** Sends an event to an ad pixel from the browser; live sessions only. */
export const PixelBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Pixel'),
  options: Type.Optional(
    PartialObject({
      pixelId: Type.String({ description: 'Taken as written: placeholders are not replaced' }),
      isInitSkip: Type.Boolean({ description: 'Whether the page loads the pixel itself. Default false' }),
      eventType: StringEnum(eventTypes, { description: 'Absent: the pixel is loaded, and no event is sent' }),
      name: Type.String({ description: 'Name of the event when `eventType` is `Custom`' }),
      params: Type.Array(
        PartialObject({
          id: Id,
          key: Type.String({ examples: ['currency', 'value', 'content_name'] }),
          value: Type.Unknown({ description: 'Any JSON; text that reads as JSON is sent as what it says' }),
        }),
      ),
    }),
  ),
})
export type PixelBlock = Static<typeof PixelBlock>
