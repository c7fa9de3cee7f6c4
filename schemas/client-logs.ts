import type { Static } from '@sinclair/typebox'
import { ClosedObject, StringEnum } from './common.ts'
import { Type } from './type.ts'

const text = { maxLength: 16_384 }

const ClientLog = Type.Object({
  status: Type.Optional(StringEnum(['error', 'info', 'success'], { description: 'Default error' })),
  description: Type.String({ ...text, examples: ['The script could not be run'] }),
  details: Type.Optional(
    Type.String({ ...text, description: 'Cut where results are kept: the first 1000 characters stay' }),
  ),
  context: Type.Optional(Type.String(text)),
})

/** Logs that a client reports (docs/api.md 4.4). Unknown keys are ignored. */
export const ClientLogsBody = Type.Object(
  { clientLogs: Type.Array(ClientLog, { maxItems: 100 }) },
  {
    examples: [
      {
        clientLogs: [
          { status: 'error', description: 'The script could not be run', details: 'x is not defined' },
        ],
      },
    ],
  },
)
export type ClientLogsBody = Static<typeof ClientLogsBody>

export const ClientLogsResponse = ClosedObject(
  { message: Type.Literal('Logs successfully saved.') },
  { examples: [{ message: 'Logs successfully saved.' }] },
)
export type ClientLogsResponse = Static<typeof ClientLogsResponse>
