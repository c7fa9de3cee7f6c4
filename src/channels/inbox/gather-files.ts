import type { Input } from '../../../schemas/input.ts'
import type { UserMessage } from '../../../schemas/user-message.ts'
import { continueChat } from '../../conversations/continue/continue-chat.ts'
import { sessionVersion } from '../../conversations/session/serialize-conversation.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { GatheredFiles, SessionChannel } from '../../sessions/session.ts'
import { channelWordsOf } from '../words.ts'
import { commitChannel } from './commit-channel.ts'
import { noticeInSession, unhurried } from './notice.ts'
import { waitingOf } from './read-reply.ts'
import type { KeptFile } from './reading.ts'
import type { InboxDependencies, Visit } from './visit.ts'

/** Messengers send files that were chosen at once as a message each, within moments. */
const gathersMs = 3000

/** More than anybody chooses at once: the next one begins another answer. */
const mostFiles = 30

/** Keeps a file for the answer that it makes with those that come with it. */
export async function gatherFile(
  sessionId: string,
  { url, caption }: KeptFile,
  { visit, deps }: { readonly visit: Visit; readonly deps: InboxDependencies },
): Promise<void> {
  await commitChannel(sessionId, deps, ({ channel, ...of }) => {
    if (channel.heard === visit.message.id) return undefined
    const files = withFile(channel, { url, caption })
    return deps.chat.channelOutput({
      ...of,
      channel: { ...channel, heard: visit.message.id, files },
      messages: [],
      input: undefined,
      clientSideActions: undefined,
      settings: unhurried,
      gathersMs: channel.files ? undefined : gathersMs,
    })
  })
}

const withFile = ({ files, asked }: SessionChannel, { url, caption }: KeptFile): GatheredFiles => ({
  asked: asked?.hash,
  urls: [...(files?.urls ?? []), url],
  text: [files?.text, caption].filter(Boolean).join('\n'),
})

/** Whether files that were gathered are an answer of their own, which comes before a message. */
export const areBefore = ({ content }: Visit['message'], { files }: Partial<SessionChannel>): boolean =>
  files !== undefined &&
  (content.kind !== 'media' || content.isVoice === true || files.urls.length >= mostFiles)

/** Answers with the files that a session has gathered, if there are any. Throws NOT_FOUND for one that has ended. */
export async function takeFiles(sessionId: string, deps: InboxDependencies): Promise<void> {
  const stored = await deps.chat.conversations.look(sessionId)
  const { files, asked, to } = stored?.session.channel ?? {}
  if (!stored || !files || to === undefined) return
  const waiting = await waitingOf(sessionId, deps)
  const isForPerson = waiting.waitingFor === 'person'
  try {
    // Its page may have answered meanwhile.
    if (!isForPerson && files.asked !== asked?.hash) throw new ServiceError('BAD_REQUEST', 'It is answered')
    await continueChat(
      {
        sessionId,
        origin: undefined,
        caller: { kind: 'channel' },
        body: { message: replyWith(files, isForPerson ? undefined : waiting.input) },
        ifVersion: [sessionVersion(stored)],
        channel: { to, files: undefined },
      },
      deps.chat,
    )
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'BAD_REQUEST')) throw error
    const { notTaken: text } = channelWordsOf(waiting.settings)
    await noticeInSession(sessionId, { text, waiting, dropsFiles: true }, { deps })
  }
}

/** As a page replies. */
function replyWith({ urls, text }: GatheredFiles, input: Input | undefined): UserMessage {
  if (input?.type === 'file input') return urls.join(', ')
  return { type: 'text', text, attachedFileUrls: [...urls] }
}
