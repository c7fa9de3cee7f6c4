import { BucketError } from './bucket-error.ts'

export interface ListedObject {
  readonly key: string
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Reads one page of ListObjectsV2. Throws a BucketError for what is none. */
export function readListing(text: string) {
  if (!/<ListBucketResult[\s>]/.test(text)) throw new BucketError('GET', { reason: 'it lists no objects' })
  const objects = text.split('<Contents>').slice(1).map(readObject)
  const nextToken = textIn('NextContinuationToken', text)
  return { objects, nextToken: nextToken === '' ? undefined : nextToken }
}

function readObject(text: string): ListedObject {
  const size = textIn('Size', text) ?? ''
  // A size that is no number would make the count one of nothing, which no bound holds.
  if (!/^\d{1,15}$/.test(size)) throw new BucketError('GET', { reason: 'it lists an object of no size' })
  return {
    key: textIn('Key', text) ?? '',
    bytes: Number(size),
    at: Date.parse(textIn('LastModified', text) ?? ''),
  }
}

function textIn(name: string, text: string): string | undefined {
  const opening = `<${name}>`
  const start = text.indexOf(opening)
  const end = text.indexOf('<', start + opening.length)
  return start === -1 || end === -1 ? undefined : decodeEntities(text.slice(start + opening.length, end))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole
    return String.fromCodePoint(Math.min(Number.parseInt(decimal ?? hex, decimal ? 10 : 16), 0x10ffff))
  })
}
