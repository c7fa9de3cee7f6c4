import type { TProperties } from '@sinclair/typebox'
import { blockOf, closed, Id, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'

/** The option that every input has. */
export const answerOption = {
  variableId: Type.Unsafe<string>({ ...Id, description: 'The variable that receives the answer' }),
} satisfies TProperties

/** Access to an uploaded file. */
export const Visibility = StringEnum(['Auto', 'Public', 'Private'], {
  description: 'Who may open the upload. `Auto` is what clients assume.',
})

/** The label of the button that sends the answer. */
export const ButtonLabel = Type.String({ description: 'The client writes its own when there is none' })

/** The labels of an input that is a field with a button. */
export const FieldLabels = PartialObject({
  placeholder: Type.String({ description: 'Shown while the field is empty' }),
  button: ButtonLabel,
})

/** The text shown when a reply is refused. */
export const RetryMessage = Type.String({
  description: 'Shown when a reply is refused; placeholders allowed',
})

/** An input as it is shown: placeholders replaced, no default filled in, nothing but what is listed. */
export function InputResponse<
  const Name extends string,
  Options extends TProperties,
  Computed extends TProperties = Record<never, never>,
>(type: Name, options: Options, computed: Computed = {} as Computed) {
  return closed(blockOf(type, options, { prefilledValue, ...computed }))
}

const prefilledValue = Type.Optional(
  Type.String({
    description: 'The text that the bound variable holds; whether to show it is up to the client',
  }),
)
