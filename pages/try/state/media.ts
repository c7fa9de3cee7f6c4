import type { Input, Message } from '../../../client/client.ts'
import { asList, asRecord, asText } from '../../../src/tooling/flow-graph/loose-json.ts'
import { safeFrame, safeMedia } from '../../shared/chat/safe-address.ts'
import type { Trial } from './trial.ts'

/** A picture, sound, video or page that a flow shows. */
interface Shown {
  readonly blockId: string
  readonly what: string
  readonly address: string
  /** Whether the page shows nothing of such an address: it runs as a script, is of this service, or is none. */
  readonly isRefused: boolean
}

/** What a conversation shows of elsewhere that its visitors don't get to see. */
export function missingMedia({ model: { entries, input }, unloaded }: Trial): Shown[] {
  const ofMessages = entries.value.flatMap((entry) =>
    entry.kind === 'message' ? mediaOf(entry.message) : [],
  )
  return [...ofMessages, ...picturesOf(input.value)].filter(
    ({ address, isRefused }) => isRefused || unloaded.value.has(address),
  )
}

function mediaOf({ id: blockId, type, content }: Message): Shown[] {
  const { url } = content as { readonly url?: string }
  if (type === 'text' || (type === 'video' && !isFile(content))) return []
  const address = url ?? ''
  const safe =
    type === 'embed' || type === 'custom-embed' ? safeFrame(address) : safeMedia(address, type === 'image')
  return [{ blockId, what: type, address: safe ?? address, isRefused: safe === undefined }]
}

/** Players of other services say themselves what they can't show. */
const isFile = (content: object) => !('id' in content && content.id)

function picturesOf(input: Input | undefined): Shown[] {
  return asList(asRecord(input)['items']).flatMap((item) => {
    const { pictureSrc, imageUrl } = asRecord(item)
    const address = asText(pictureSrc) ?? asText(imageUrl)
    if (!input || !address) return []
    const safe = safeMedia(address, true)
    return [{ blockId: input.id, what: 'picture', address: safe ?? address, isRefused: safe === undefined }]
  })
}
