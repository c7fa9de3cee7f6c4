import { parseJson } from '../http-request/parse-json.ts'

/** A part of what a user says. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** Images of one text; what else it has addresses of stays text. */
const mostImages = 20

/** Addresses of images, by their ends: nothing is fetched to find out. */
const imageAddress = /^https?:\/\/\S+\.(?:png|jpe?g|gif|webp)(?:\?\S*)?$/i

/**
 * Cuts a text at its blank lines: a piece that is the address of an image, or a list of some, is shown to the model. The
 * same text where there is none.
 */
export function splitImages(text: string): string | readonly ContentPart[] {
  if (!text.includes('http')) return text
  const parts: ContentPart[] = []
  let images = 0
  for (const piece of text.split(/\n[^\S\n]*\n/)) {
    const addresses = addressesIn(piece)
    if (addresses.length > 0 && images + addresses.length <= mostImages) {
      images += addresses.length
      parts.push(...addresses.map((url) => ({ type: 'image_url' as const, image_url: { url } })))
      continue
    }
    const last = parts.at(-1)
    if (last?.type === 'text') parts.splice(-1, 1, { type: 'text', text: `${last.text}\n\n${piece}` })
    else if (piece.trim() !== '') parts.push({ type: 'text', text: piece })
  }
  return images === 0 ? text : parts
}

/** Addresses of images that a piece of text consists of; none where it holds anything else. */
function addressesIn(piece: string): readonly string[] {
  const text = piece.trim()
  if (!/^(?:\["\s*)?https?:/i.test(text)) return []
  const listed: unknown = text.startsWith('[') ? parseJson(text)?.value : text.split(/,\s+/)
  if (!Array.isArray(listed)) return []
  const isImages = listed.every((address) => typeof address === 'string' && imageAddress.test(address))
  return isImages ? listed : []
}
