import { getSession } from '../../conversations/get-session/get-session.ts'
import { readJson } from '../../lib/byte-string.ts'
import type { Session } from '../../sessions/session.ts'
import type { InboundContent } from '../messenger.ts'
import { type Deed, readSaid } from '../options.ts'
import { channelWordsOf } from '../words.ts'
import { readMedia } from './read-media.ts'
import type { Reading, Waiting } from './reading.ts'
import type { InboxDependencies, Visit } from './visit.ts'

/** Reads a message as the reply to what a session waits for. */
export async function readReply(session: Session, visit: Visit, deps: InboxDependencies): Promise<Reading> {
  const { content } = visit.message
  // Only the page knows what is to be sent back.
  if (session.channel?.awaitsPage && !session.pause && content.kind !== 'command') {
    const waiting = await waitingOf(session.id, deps)
    return { notice: { text: channelWordsOf(waiting.settings).notTaken, waiting } }
  }
  switch (content.kind) {
    case 'location':
      return { reply: wordsIn(content) ?? '' }
    case 'command':
      return { reply: { type: 'command', command: content.command } }
    case 'text': {
      const { text } = content
      const mayBeNumber = session.channel?.asked?.isNumbered === true && /\d/.test(text)
      return mayBeNumber ? readOption({ text }, session, deps) : { reply: text }
    }
    case 'press':
      return readOption({ press: content.id, title: content.title }, session, deps)
    case 'media':
      return readMedia(content, await waitingOf(session.id, deps), {
        messenger: visit.channel.account.messenger,
        deps,
      })
    default:
      throw new Error('what is ignored is never read')
  }
}

/** Words that a message is by itself, whatever is asked; undefined where it has none. */
export function wordsIn(content: InboundContent): string | undefined {
  if (content.kind === 'location') return `${content.latitude}, ${content.longitude}`
  return content.kind === 'text' ? content.text : undefined
}

/** A press of a button, or a number in its place. */
async function readOption(
  { title, ...said }: Deed & { readonly title?: string | undefined },
  session: Session,
  deps: InboxDependencies,
): Promise<Reading> {
  const waiting = await waitingOf(session.id, deps)
  const { input, settings, version, waitingFor } = waiting
  // A person reads what stands on the button.
  if (waitingFor === 'person') return { reply: said.text ?? title ?? '' }
  const { messenger = 'telegram', asked } = session.channel ?? {}
  const words = channelWordsOf(settings)
  const meaning = readSaid(said, { channel: messenger, words, input, turn: asked?.turn ?? 0 })
  if ('reply' in meaning) return { reply: meaning.reply, version }
  return { notice: { text: words.staleChoice, waiting } }
}

/** Looks at what a session waits for. Throws NOT_FOUND for one that has ended. */
export async function waitingOf(sessionId: string, { chat }: InboxDependencies): Promise<Waiting> {
  let version = ''
  const look = await getSession(
    {
      sessionId,
      origin: undefined,
      caller: { kind: 'channel' },
      onVersion: (given) => {
        version = given
      },
    },
    chat,
  )
  const { waitingFor, input, clientSideActions, flow } = readJson(look) as Partial<Waiting> & {
    readonly flow: Pick<Waiting, 'settings'>
  }
  return { sessionId, version, waitingFor, input, clientSideActions, settings: flow.settings }
}
