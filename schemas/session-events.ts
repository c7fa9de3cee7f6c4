import type { Static } from '@sinclair/typebox'
import { Type } from './type.ts'

/** The headers of a stream of events. Names are in lower case. */
export const SessionEventsHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The version that the client knows, which browsers send when they connect again: the first event reports all changes since',
      examples: ['3-mib2qk1c'],
    }),
  ),
})
export type SessionEventsHeaders = Static<typeof SessionEventsHeaders>

/** The text of a stream of events (docs/api.md 4.15). */
export const SessionEvents = Type.String({
  description:
    'Events `webhook` and `updated`. `id` is the version of the session that they lead to, `data` the same as JSON; lines that begin with a colon are to be ignored',
  examples: ['id: 3-mib2qk1c\nevent: webhook\ndata: {"version":"3-mib2qk1c"}\n\n'],
})
