import type { Static } from '@sinclair/typebox'
import { Type } from './type.ts'

/** The header by which a request may be repeated (docs/api.md, "Repeating a request"). Names are in lower case. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[!-~]{20,255}$',
      description:
        'A random name of your own for this request: the first answer is given again to a request that repeats the key and the body. 20 to 255 printable ASCII characters without blank',
      examples: ['0c5a3f5e-5d0e-4a43-9a0b-6a6d3a3f6f0e'],
    }),
  ),
})
export type IdempotencyHeaders = Static<typeof IdempotencyHeaders>
