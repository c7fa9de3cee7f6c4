import type { Contact, ContactResponse } from '../../schemas/contact.ts'
import { contactKey } from '../conversations/contact/met-contact.ts'
import { idOfPerson, otherIdsOf } from '../conversations/contact/same-person.ts'
import { invalidInput, ServiceError } from '../lib/errors.ts'
import { eraseResult } from '../results/erase-results.ts'
import type { ResultsDependencies } from '../results/results-dependencies.ts'
import type { ContactLink } from '../stores/contact-store.ts'
import { inSteps } from '../stores/in-steps.ts'
import { type ContactSources, exportContact } from './export-contact.ts'
import { conversationBody, linksOf, timeText } from './linked-conversations.ts'

type ContactsDependencies = ResultsDependencies & ContactSources

interface ContactRequest {
  readonly contactId: string
}

interface ContactPageRequest extends ContactRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

export type Contacts = ReturnType<typeof createContacts>

/** Conversations that are erased at once. */
const erasedAtOnce = 20

/**
 * Operations on contacts; the routes have checked the operator's token. Each covers what is kept under an id, by whoever said
 * it: that of the person who was vouched for, and conversations of browsers that only named them.
 */
export function createContacts(deps: ContactsDependencies) {
  /** Throws NOT_FOUND where nothing is kept, and BAD_REQUEST for a cursor that no page gave. */
  async function get({ contactId: given, limit, cursor }: ContactPageRequest): Promise<ContactResponse> {
    const contactId = await idOfPerson(given, deps.contacts)
    const { contact } = await deps.contacts.find(contactKey({ id: contactId, isVerified: true }))
    const links = await linksOf(contactId, { limit: limit + 1, before: readCursor(cursor) }, deps)
    const page = links.slice(0, limit)
    if (!contact && links.length === 0 && cursor === undefined) throw contactNotFound()
    const last = links.length > limit ? page.at(-1) : undefined
    return {
      id: contactId,
      ...(contact?.profile !== undefined && { profile: JSON.parse(contact.profile) as Contact }),
      memory: JSON.parse(contact?.memory ?? '{}'),
      memoryRevision: contact?.revision ?? 0,
      ...(contact && { firstSeenAt: timeText(contact.firstSeen), lastSeenAt: timeText(contact.lastSeen) }),
      conversations: page.map(conversationBody),
      ...(last && { nextCursor: String(last.number) }),
    }
  }

  return {
    get,
    /** All that is kept of a contact, as pieces of JSON, of which one is made at a time. Throws as `get` does. */
    async export(request: ContactRequest): Promise<AsyncIterable<string>> {
      const { conversations: _, nextCursor: __, ...head } = await get({ ...request, limit: 1 })
      return exportContact(head, (before) => linksOf(head.id, { limit: erasedAtOnce, before }, deps), deps)
    },
    /**
     * Erases a contact with the sessions, results and files of every conversation; a turn or start under way brings nothing back. When some
     * can't be erased, the call can be made again. Throws NOT_FOUND where nothing is kept.
     */
    async delete({ contactId: given, actor }: ContactRequest & { readonly actor: string }): Promise<void> {
      const contactId = await idOfPerson(given, deps.contacts)
      const { contact } = await deps.contacts.find(contactKey({ id: contactId, isVerified: true }))
      const isThere = await get({ contactId, limit: 1 }).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'NOT_FOUND') return undefined
        throw error
      })
      // From here on no start of theirs is kept that is under way, nor what a turn is about to remember.
      await deps.erasing.steps(async () => {
        for (const isVerified of [true, false])
          await deps.contacts.erase(contactKey({ id: contactId, isVerified }))
        for (const id of otherIdsOf(contact)) await deps.contacts.erase(contactKey({ id, isVerified: true }))
      })
      let deleted = 0
      await inSteps(async () => {
        const links = await linksOf(contactId, { limit: erasedAtOnce }, deps)
        if (links.length === 0) return false
        await Promise.all(links.map((link) => eraseConversation(link, deps)))
        for (const isVerified of [true, false])
          await deps.contacts.unlink(
            contactKey({ id: contactId, isVerified }),
            links.map(({ number }) => number),
          )
        deleted += links.length
        await deps.ports.nextTurn()
        return true
      }, deps.erasing)
      if (!isThere) throw contactNotFound()
      await deps.noteErasure({ publicId: 'contact', actor, deleted, by: 'contact' })
    },
  }
}

/** Its session goes first, after the turn that it may be in. */
async function eraseConversation(
  { flowId, resultId, sessionId }: ContactLink,
  deps: ContactsDependencies,
): Promise<void> {
  if (resultId === '') await deps.conversations.erase(sessionId)
  else await eraseResult(flowId, { id: resultId, lastChatSessionId: sessionId }, deps)
}

function readCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined || /^[0-9]{1,15}$/.test(cursor))
    return cursor === undefined ? cursor : Number(cursor)
  const problems = [{ pointer: '/cursor', message: 'must be the nextCursor of a page' }]
  throw invalidInput(problems)
}

function contactNotFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'Contact not found.')
}
