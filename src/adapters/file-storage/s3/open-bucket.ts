import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Bucket } from './bucket.ts'
import { BucketError } from './bucket-error.ts'

/** Time that `/ready` waits for the bucket, and for which it knows how that stood. */
const checkMs = 3_000
const knownMs = 5_000

/** Reads, writes and erases once, so that a service that can't keep files does not begin. */
export async function openBucket(bucket: Bucket): Promise<void> {
  const probe = `probe-${randomUUID()}`
  try {
    await bucket.check(checkMs)
    await bucket.tryOut(probe, { bytes: 1, open: () => Readable.from([Buffer.from('1')]) })
  } catch (error) {
    if (!(error instanceof BucketError)) throw error
    const { message } = error.cause as Error
    throw new Error(`Uploads can not be kept. ${message}. ${remedyFor(error.status)}`, { cause: error })
  }
}

function remedyFor(status: number | undefined): string {
  if (status === undefined) return 'Check that the address is that of a bucket, and reached from here'
  if (status === 404)
    return 'Create the bucket, or name another: the address ends with its name, or begins with it'
  if (status === 403 || status === 401)
    return 'Check UPLOADS_S3_KEY and the region, and that the key may list, read, write and erase there'
  return 'Check the address, the region and the server'
}

/** Tells whether the bucket answers; however many ask, it is asked once in some seconds. */
export function watchBucket(bucket: Pick<Bucket, 'check'>): () => Promise<boolean> {
  let last: { readonly at: number; readonly isThere: Promise<boolean> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at > knownMs) {
      const isThere = bucket.check(checkMs).then(
        () => true,
        () => false,
      )
      last = { at: now, isThere }
    }
    return last.isThere
  }
}
