import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Bucket } from './bucket.ts'

/** Longer than an upload address can be used, and than the clocks of two machines differ. */
const markedMs = 15 * 60 * 1000

const folder = 'erased/'
const lists = `${folder}list-`

/**
 * Owners whose files were erased lately, as objects of the bucket: an upload that comes late is refused by another process
 * too, and by the next one. An empty object for one owner, and a list of those that were erased together.
 */
export function createErasedMarks(bucket: Bucket) {
  async function readList(key: string): Promise<readonly string[]> {
    const chunks: Uint8Array[] = []
    for await (const chunk of bucket.read(key)) chunks.push(chunk)
    return Buffer.concat(chunks).toString().split('\n')
  }
  return {
    async add(owners: readonly string[]): Promise<void> {
      const [first] = owners
      const isOne = first !== undefined && owners.length === 1
      const text = Buffer.from(isOne ? '' : owners.join('\n'))
      const content = { bytes: text.length, open: () => Readable.from([text]) }
      await bucket.put(isOne ? folder + first : lists + randomUUID(), content)
    },
    async has(owner: string): Promise<boolean> {
      if ((await bucket.sizeOf(folder + owner)) !== undefined) return true
      for await (const { key } of bucket.list(lists)) if ((await readList(key)).includes(owner)) return true
      return false
    },
    /** Owners whose marks nothing can come too late for any more, by their marks. */
    async old(): Promise<ReadonlyMap<string, readonly string[]>> {
      const found = new Map<string, readonly string[]>()
      for await (const { key, at } of bucket.list(folder)) {
        if (Date.now() - at < markedMs) continue
        found.set(key, key.startsWith(lists) ? await readList(key) : [key.slice(folder.length)])
      }
      return found
    },
  }
}
