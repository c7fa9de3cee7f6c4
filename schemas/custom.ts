import type { TObject } from '@sinclair/typebox'
import { ClosedObject } from './common.ts'
import { Type } from './type.ts'

const custom = Type.Optional(
  ClosedObject(
    {
      type: Type.String({ description: 'Its type', examples: ['acme/colour'] }),
      options: Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Its options, with placeholders filled in: like all texts, they may hold what a visitor typed',
      }),
    },
    {
      description:
        'There where a block of a type of the operator has made it (docs/own-blocks.md), for clients that know that type; all others show the rest',
    },
  ),
)

/** The same schemas with room for the own block that has made a value. */
export function withCustom<const Members extends readonly TObject[]>(members: Members): Members {
  const extended = members.map((member) => ({ ...member, properties: { ...member.properties, custom } }))
  return extended as readonly TObject[] as Members
}
