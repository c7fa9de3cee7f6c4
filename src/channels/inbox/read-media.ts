import type { Input } from '../../../schemas/input.ts'
import type { UserMessage } from '../../../schemas/user-message.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { InboundContent, Messenger } from '../messenger.ts'
import { MediaGoneError } from '../wire/download.ts'
import { channelWordsOf } from '../words.ts'
import type { Reading, Waiting } from './reading.ts'
import type { InboxDependencies } from './visit.ts'

type Media = Extract<InboundContent, { kind: 'media' }>

/** Reads a file, which is kept as an upload where the input that waits takes one; else its caption is what was said. */
export async function readMedia(
  media: Media,
  waiting: Waiting,
  { messenger, deps }: { readonly messenger: Messenger; readonly deps: InboxDependencies },
): Promise<Reading> {
  const { caption = '' } = media
  const { version, settings, waitingFor } = waiting
  if (waitingFor === 'input' && takesFile(media, waiting.input)) {
    const url = await keep(media, waiting.sessionId, { messenger, deps })
    if (url !== undefined) return { reply: replyWith(url, media, waiting.input), version }
  } else if (caption !== '') return { reply: caption }
  return { notice: { text: channelWordsOf(settings).notTaken, waiting } }
}

function takesFile({ isVoice }: Media, input: Input | undefined): boolean {
  if (input?.type === 'file input') return true
  if (input?.type !== 'text input') return false
  const { audioClip, attachments } = input.options ?? {}
  return (isVoice === true && audioClip?.isEnabled === true) || attachments?.isEnabled === true
}

/** As a page replies. */
function replyWith(url: string, { isVoice, caption = '' }: Media, input: Input | undefined): UserMessage {
  if (input?.type === 'file input') return url
  const takesVoice = input?.type === 'text input' && input.options?.audioClip?.isEnabled === true
  if (isVoice && takesVoice) return { type: 'audio', url }
  return { type: 'text', text: caption, attachedFileUrls: [url] }
}

/** The address of the upload; undefined for a file that the input, the limits or the messenger refuse. */
async function keep(
  { media: { type, name, size, ...media } }: Media,
  sessionId: string,
  { messenger, deps }: { readonly messenger: Messenger; readonly deps: InboxDependencies },
): Promise<string | undefined> {
  const { uploads, calls, chat } = deps
  try {
    const file = await messenger.download({ ...media, ...(type && { type }) }, calls)
    const offered = await uploads.offer({
      caller: { kind: 'channel' },
      origin: undefined,
      ownUrl: chat.publicUrl ?? '',
      body: {
        sessionId,
        fileType: file.type || (type ?? ''),
        fileName: file.name ?? name ?? '',
        fileSize: file.size ?? size ?? 0,
      },
    })
    await uploads.receive(offered.presignedUrl.slice(offered.presignedUrl.lastIndexOf('/') + 1), file.body)
    return offered.fileUrl
  } catch (error) {
    // A messenger or a store that is away is back later.
    const isRefused = error instanceof ServiceError && error.code !== 'SERVICE_UNAVAILABLE'
    if (!isRefused && !(error instanceof MediaGoneError)) throw error
    chat.log.warn({ err: error }, 'a file that somebody sent could not be kept')
    return undefined
  }
}
