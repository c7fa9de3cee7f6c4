import type { ContactResponse } from '../../schemas/contact.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { unmaskRecorded } from '../conversations/recording/mask-recorded.ts'
import { restoreConversation } from '../conversations/session/restore-conversation.ts'
import { unmaskedResult } from '../results/masked-result.ts'
import { resultBody } from '../results/result-body.ts'
import { describeVisits } from '../results/result-visits.ts'
import type { ResultsDependencies } from '../results/results-dependencies.ts'
import { conversationBody, type LinkedConversation } from './linked-conversations.ts'

export type ContactSources = Pick<
  ChatDependencies,
  'contacts' | 'conversations' | 'results' | 'published' | 'programs' | 'drafts' | 'definitions' | 'ports'
> &
  Pick<ResultsDependencies, 'counts'>

/** A page of conversations, the latest first, before the one of a number. */
type ReadPage = (before?: number) => Promise<readonly LinkedConversation[]>

/** Writes all that is kept of a contact, a conversation at a time: with its result, and its session while that lives. */
export async function* exportContact(
  head: Omit<ContactResponse, 'conversations' | 'nextCursor'>,
  readPage: ReadPage,
  sources: ContactSources,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"conversations":[`
  let separator = '\n'
  for (let page = await readPage(); page.length > 0; page = await readPage(page.at(-1)?.number))
    for (const link of page) {
      yield separator + JSON.stringify(await wholeConversation(link, sources))
      separator = ',\n'
    }
  yield '\n]}\n'
}

async function wholeConversation(link: LinkedConversation, sources: ContactSources): Promise<object> {
  const result = link.resultId === '' ? undefined : await sources.results.get(link.flowId, link.resultId)
  const stored = await sources.conversations.look(link.sessionId)
  return {
    ...conversationBody(link),
    ...(result && { result: resultBody(unmaskedResult(result), await describeVisits([result], sources)) }),
    ...(stored && { session: await wholeSession(stored.session, sources) }),
  }
}

type StoredSession = NonNullable<Awaited<ReturnType<ContactSources['conversations']['look']>>>['session']

/** With the values of all variables, those included that no result has. */
async function wholeSession(session: StoredSession, sources: ContactSources): Promise<object> {
  const { state, createdAt, locale, transcript, contact, recording } = session
  const { frames = [] } = (await restoreConversation(session, sources)) ?? {}
  const { name, email, phone, timeZone } = contact ?? {}
  return {
    state,
    startedAt: new Date(createdAt).toISOString(),
    locale,
    contact: { name, email, phone, timeZone },
    transcript,
    variables: frames.map(({ program, variables }) => ({
      flowId: program.id,
      values: Object.fromEntries([...variables.entries()].map(([{ name }, value]) => [name, value])),
    })),
    recording: recording && { ...recording, ...unmaskRecorded(recording) },
  }
}
