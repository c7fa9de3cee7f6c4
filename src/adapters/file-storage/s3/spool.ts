import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { QuotaReservation } from '../disk-quota.ts'
import { fileMode } from '../file-paths.ts'
import type { StoredContent } from './bucket.ts'

/** A file that waits until it is whole: a visitor may take minutes, which no bucket waits for, and may break off. */
export interface Spool {
  /** Takes the content. What is too much is not read to its end. */
  fill(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<'filled' | 'too large' | 'full'>
  /** All that has come in, to be read any number of times. */
  content(): StoredContent
  close(): Promise<void>
}

/** Opens one in the folder for temporary files. It has no name there any more: it goes with the process, however that ends. */
export async function openSpool(room: QuotaReservation): Promise<Spool> {
  const path = join(tmpdir(), `upload-${randomUUID()}`)
  const file = await open(path, 'wx+', fileMode)
  await unlink(path)
  const hash = createHash('sha256')
  let bytes = 0
  return {
    async fill(content, maxBytes) {
      if (!room.grow(0)) return 'full'
      for await (const chunk of content) {
        bytes += chunk.length
        if (bytes > maxBytes) return 'too large'
        if (!room.grow(chunk.length)) return 'full'
        hash.update(chunk)
        await file.appendFile(chunk)
      }
      return 'filled'
    },
    content: () => ({ bytes, sha256: hash.copy().digest('hex'), open: () => readAgain(file) }),
    async close() {
      room.giveUp()
      await file.close()
    },
  }
}

function readAgain(file: FileHandle) {
  return file.createReadStream({ start: 0, autoClose: false })
}
