import type { Static, TSchema } from '@sinclair/typebox'
import { Type } from './type.ts'

/**
 * A union discriminated by `type`: the error of a member is reported once, not once per member.
 *
 * `oneOf` with a `discriminator` is what both the validator and readers of the OpenAPI document understand.
 */
export function taggedUnion<const Members extends readonly TSchema[]>(
  members: Members,
  options: object = {},
) {
  return Type.Unsafe<Static<Members[number]>>({
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: members,
    ...options,
  })
}

/** Whether a value goes by a tag of a member of its union, whose shape it has then. */
export function isOf<Value extends { readonly type: string }, Member extends TSchema>(
  value: Value,
  member: Member,
): value is Extract<Value, Static<Member>> {
  return tagsOf(member).includes(value.type)
}

/** The words that a member of a tagged union goes by: those of its `type`. */
export function tagsOf(member: TSchema): readonly string[] {
  const type = member['properties'].type
  return type.enum ?? [type.const]
}
