import type { ContactStore } from '../../stores/contact-store.ts'
import { noticeAlone } from './notice.ts'
import type { InboxDependencies, Visit } from './visit.ts'

/** Name by which it is remembered of a person since when they want no messages, beside what flows remember. */
const refusal = '$optedOut'

const usual = {
  out: 'You will get no more messages here. Reply START to get them again.',
  in: 'You will get messages here again. Write to begin.',
}

/** Whether a person wants no messages. */
export async function hasOptedOut(key: string, { find }: Pick<ContactStore, 'find'>): Promise<boolean> {
  const { contact } = await find(key)
  return contact !== undefined && Object.hasOwn(JSON.parse(contact.memory), refusal)
}

/** Notes that a person wants no messages, or wants them again, and says so. */
export async function noteRefusal(
  isOut: boolean,
  { visit, deps }: { readonly visit: Visit; readonly deps: InboxDependencies },
): Promise<void> {
  const { optOutText = usual.out, optInText = usual.in } = visit.channel.settings
  const memory = [[refusal, isOut ? new Date(deps.chat.ports.now()).toISOString() : null]] as const
  await noticeAlone(isOut ? optOutText : optInText, { visit, memory, deps })
}
