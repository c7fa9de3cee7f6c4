import type { Static } from '@sinclair/typebox'
import { blockBase, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'

/** Delays what follows. The client waits, the service never does. */
export const WaitBlock = Type.Object({
  ...blockBase,
  type: Type.Literal('Wait'),
  options: Type.Optional(
    PartialObject({
      secondsToWaitFor: Type.Unsafe<number | string>({
        type: ['string', 'number'],
        description: 'Seconds: a number, or text that starts with one. May hold placeholders',
        examples: ['1.5', '{{Delay}}', 2],
      }),
      shouldPause: Type.Boolean({
        description: 'Whether the session waits for the client before it goes on. Default false',
      }),
    }),
  ),
})
export type WaitBlock = Static<typeof WaitBlock>
