import type { Static } from '@sinclair/typebox'
import { blockBase, NumberOrVariable, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'

/** Sends an event to Google Analytics from the browser; live sessions only. */
export const GoogleAnalyticsBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Google Analytics'),
  options: Type.Optional(
    PartialObject({
      trackingId: Type.String({ examples: ['G-XXXXXXX'] }),
      category: Type.String(),
      action: Type.String({ examples: ['purchase'] }),
      label: Type.String(),
      value: NumberOrVariable,
      sendTo: Type.String(),
    }),
  ),
})
export type GoogleAnalyticsBlock = Static<typeof GoogleAnalyticsBlock>
