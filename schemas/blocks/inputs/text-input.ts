import type { Static } from '@sinclair/typebox'
import { Id, PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'
import { answerOption, FieldLabels, InputDefinition, InputResponse, Visibility } from './common.ts'

const Upload = PartialObject({
  isEnabled: Type.Boolean({ description: 'Off unless true' }),
  saveVariableId: Type.Unsafe<string>({ ...Id, description: 'The variable that receives the addresses' }),
  visibility: Visibility,
})

const options = {
  ...answerOption,
  labels: FieldLabels,
  isLong: Type.Boolean({ description: 'A field of several lines' }),
  inputMode: StringEnum(['text', 'decimal', 'numeric', 'tel', 'search', 'email', 'url'], {
    description: 'A hint for virtual keyboards; any text is accepted all the same',
  }),
  audioClip: Upload,
  attachments: Upload,
}

/** Asks for any text. */
export const TextInputBlock = InputDefinition('text input', options)
export type TextInputBlock = Static<typeof TextInputBlock>

/** A text input as it is shown. */
export const TextInput = InputResponse('text input', options)
export type TextInput = Static<typeof TextInput>
