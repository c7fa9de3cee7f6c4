import { Id, PartialObject } from '../../common.ts'
import { Type } from '../../type.ts'

/** The options that every block of a vendor has. */
export const vendorOptions = (...actions: readonly string[]) => ({
  credentialsId: Type.Optional(
    Type.String({
      description:
        'An account that the operator configured. Default: the one of this type, where there is one',
    }),
  ),
  action: Type.Optional(
    Type.String({ description: 'Selects which further options count', examples: [...actions] }),
  ),
})

/** Names with values, such as the properties of an event. */
export const KeyValueRows = Type.Array(PartialObject({ id: Id, key: Type.String(), value: Type.String() }))

/** Which parts of an answer go into which variables. */
export const ResponseItems = (description: string) =>
  Type.Array(PartialObject({ id: Id, item: Type.String({ description }), variableId: Id }))
