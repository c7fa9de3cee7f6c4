import { setTimeout as delay } from 'node:timers/promises'
import { contentHash } from '../../definition/content-hash.ts'
import { type ByteString, jsonOf, readJson } from '../../lib/byte-string.ts'
import { ServiceError } from '../../lib/errors.ts'
import { anonymous } from '../../ports/caller.ts'
import type { EnteredStart, StoredConversation } from '../../stores/conversation-store.ts'
import type { PublishedFlow } from '../../stores/published-flows.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { getSession } from '../get-session/get-session.ts'
import type { Versioned } from '../request.ts'
import { sessionOfAnswer } from '../session/enter-session.ts'
import { contactKey } from './met-contact.ts'

interface ResumeRequest extends Versioned {
  readonly published: PublishedFlow
  readonly origin: string | undefined
  readonly locale: string | undefined
  readonly contactId: string
}

/** Conversations of one flow that are looked at, the latest first: of those that are resumed, the latest is the open one. */
const mostLooked = 20

/** How long a start waits for another one of the same contact, and how often it looks. */
const patienceMs = 10_000
const pauseMs = 100

/**
 * The answer of a start that resumes: an open conversation of the contact with the flow, with what waits. Where there is none,
 * the lease to start one under, which no other start gets: the key names the conversation that came before, and the first claim
 * of it fixes the next. Throws CONFLICT where another start takes too long.
 */
export async function resumeOpen(
  request: ResumeRequest,
  deps: ChatDependencies,
): Promise<ByteString | EnteredStart> {
  const { published, contactId } = request
  const { conversations, contacts, ports } = deps
  const key = contactKey({ id: contactId, isVerified: true })
  const until = ports.elapsed() + patienceMs
  let last: string | undefined
  while (ports.elapsed() < until) {
    const links = await contacts.links(key, { flowId: published.program.id, limit: mostLooked })
    const ids = new Set([last, ...links.map(({ sessionId }) => sessionId)])
    for (const id of ids) {
      const stored = id === undefined ? undefined : await conversations.look(id)
      const answer = stored && isOpen(stored, published) ? await giveBack(stored, request, deps) : undefined
      if (answer !== undefined) return answer
    }
    const before = last ?? links[0]?.sessionId ?? ''
    const name = contentHash(JSON.stringify([key, published.publicId, before]))
    const idempotency = { key: `resume ${name}`, fingerprint: '' }
    const entered = await conversations.enterStart({ newId: ports.createId('session'), idempotency })
    if (entered.state === 'entered') return entered
    last = entered.state === 'answered' ? sessionOfAnswer(entered.answer) : undefined
    if (last === undefined) await delay(pauseMs)
  }
  throw new ServiceError('CONFLICT', 'Another start of this contact is still being answered', {
    retryAfter: 1,
  })
}

function isOpen({ session }: StoredConversation, { publicId }: PublishedFlow): boolean {
  return session.state !== 'ended' && session.publicId === publicId
}

/** As a look shows it, in the form of a start; undefined for one that can't go on any more. */
async function giveBack(
  { session: { id: sessionId, queue, contact } }: StoredConversation,
  { origin, locale, onVersion }: ResumeRequest,
  deps: ChatDependencies,
): Promise<ByteString | undefined> {
  try {
    const look = await getSession({ sessionId, origin, locale, caller: anonymous, onVersion }, deps)
    const { state: _, waitingFor: __, flow, messages = [], ...rest } = readJson(look)
    const mark = contact && { id: contact.id, isVerified: contact.isVerified }
    const ids = { sessionId, resultId: queue.at(-1)?.resultId, contact: mark, isResumed: true }
    return jsonOf({ ...ids, flow, messages, ...rest })
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}
