import { contactKey } from '../conversations/contact/met-contact.ts'
import type { ContactLink, ContactStore } from '../stores/contact-store.ts'

/** A conversation of a contact, and whether the contact was vouched for. */
export interface LinkedConversation extends ContactLink {
  readonly isVerified: boolean
}

/** Conversations with whoever said an id, the latest begun first. */
export async function linksOf(
  id: string,
  asked: { readonly limit: number; readonly before?: number | undefined },
  { contacts }: { readonly contacts: ContactStore },
): Promise<readonly LinkedConversation[]> {
  const found = await Promise.all(
    [true, false].map(async (isVerified) => {
      const links = await contacts.links(contactKey({ id, isVerified }), asked)
      return links.map((link) => ({ ...link, isVerified }))
    }),
  )
  return found
    .flat()
    .sort((one, other) => other.number - one.number)
    .slice(0, asked.limit)
}

/** A conversation as its operator reads it. */
export function conversationBody({ sessionId, flowId, resultId, at, isVerified }: LinkedConversation) {
  return {
    sessionId,
    flowId,
    ...(resultId !== '' && { resultId }),
    startedAt: timeText(at),
    isVerified,
  }
}

export const timeText = (time: number) => new Date(time).toISOString()
