import type { Static } from '@sinclair/typebox'
import { PartialObject, StringEnum } from '../../common.ts'
import { Type } from '../../type.ts'
import { answerOption, ButtonLabel, InputDefinition, InputResponse, Visibility } from './common.ts'

const options = {
  ...answerOption,
  labels: PartialObject({
    placeholder: Type.String({
      description: 'Shown where files are dropped; HTML that clients must sanitise',
    }),
    button: ButtonLabel,
    clear: Type.String(),
    skip: Type.String(),
    success: PartialObject({
      single: Type.String({ description: 'Shown when one file was uploaded' }),
      multiple: Type.String({ description: 'Shown when several files were; `{total}` is their number' }),
    }),
  }),
  isRequired: Type.Boolean({ description: 'On unless false' }),
  isMultipleAllowed: Type.Boolean({ description: 'Off unless true' }),
  allowedFileTypes: PartialObject({
    isEnabled: Type.Boolean({ description: 'Off unless true' }),
    types: Type.Array(Type.String(), {
      description: 'MIME types, families of them, or extensions',
      examples: [['image/*', '.pdf']],
    }),
  }),
  capture: StringEnum(['environment', 'user'], { description: 'The camera that a phone opens' }),
  visibility: Visibility,
}

/** Asks for files. */
export const FileInputBlock = InputDefinition('file input', {
  ...options,
  sizeLimit: Type.Number({
    description: 'Before version 6: megabytes of one file, where that is less than the service takes',
  }),
})
export type FileInputBlock = Static<typeof FileInputBlock>

/** A file input as it is shown. */
export const FileInput = InputResponse('file input', options)
export type FileInput = Static<typeof FileInput>
