import { inboxOf } from '../../stores/outgoing/endpoint-table.ts'
import type { OutgoingEvent } from '../../stores/outgoing/outbox-store.ts'
import type { OpenChannel } from '../channel-directory.ts'
import type { InboundMessage } from '../messenger.ts'
import { queueKeyOf } from './person.ts'

/** A session that is to go on by itself: if it is still at a revision, or with the files that it has gathered. */
export type Resumption = { readonly sessionId: string } & (
  | { readonly revision: number }
  | { readonly isForFiles: true }
)

/** A message, as the inbox keeps it. */
export const rowOfMessage = (message: InboundMessage, channel: OpenChannel): OutgoingEvent => ({
  destination: channel.inbox,
  line: queueKeyOf(message.user, channel),
  eventId: message.id,
  type: 'message',
  body: JSON.stringify(message),
})

/** The same of what nobody has said: in the line of the person, behind what they have said before. */
export const rowOfResumption = (
  resumption: Resumption,
  of: { readonly channel: string; readonly line: string; readonly eventId: string },
): OutgoingEvent => ({
  destination: inboxOf(of.channel),
  line: of.line,
  eventId: of.eventId,
  type: 'resume',
  body: JSON.stringify(resumption),
})
