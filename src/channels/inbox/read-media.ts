import type { Input } from '../../../schemas/input.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { InboundContent, Messenger } from '../messenger.ts'
import { MediaGoneError } from '../wire/download.ts'
import { channelWordsOf } from '../words.ts'
import type { Reading, Waiting } from './reading.ts'
import type { InboxDependencies } from './visit.ts'

type Media = Extract<InboundContent, { kind: 'media' }>

/**
 * Reads a file, which is kept as an upload where the input that waits takes one, and for the person who leads the conversation; else
 * its caption is what was said.
 */
export async function readMedia(
  media: Media,
  waiting: Waiting,
  { messenger, deps }: { readonly messenger: Messenger; readonly deps: InboxDependencies },
): Promise<Reading> {
  const { caption = '' } = media
  const { version, settings, waitingFor, input } = waiting
  const isForPerson = waitingFor === 'person'
  const use = waitingFor === 'input' ? useOf(media, input) : isForPerson ? 'attached' : undefined
  const url = use && (await keep(media, waiting.sessionId, { messenger, deps }))
  if (url !== undefined) {
    if (use === 'alone') return { reply: url, version }
    if (use === 'voice') return { reply: { type: 'audio', url }, version }
    if (use === 'gathered') return { file: { url, caption } }
    return { reply: { type: 'text', text: caption, attachedFileUrls: [url] }, version }
  }
  if (caption !== '' && (use === undefined || isForPerson)) return { reply: caption }
  return { notice: { text: channelWordsOf(settings).notTaken, waiting } }
}

/** How an input takes a file, as a page would send it; undefined where it takes none. */
function useOf({ isVoice }: Media, input: Input | undefined): 'alone' | 'voice' | 'gathered' | undefined {
  if (input?.type === 'file input') return input.options?.isMultipleAllowed ? 'gathered' : 'alone'
  if (input?.type !== 'text input') return undefined
  const { audioClip, attachments } = input.options ?? {}
  if (isVoice && audioClip?.isEnabled) return 'voice'
  return attachments?.isEnabled ? 'gathered' : undefined
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
