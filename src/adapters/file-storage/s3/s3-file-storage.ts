import { Readable } from 'node:stream'
import type { CountedUpload, SharedUploadCounts } from '../../../ports/known-types.ts'
import type {
  DirectFile,
  FilePlace,
  OpenFile,
  SaveOutcome,
  UploadedFiles,
} from '../../../ports/uploaded-files-port.ts'
import { createDiskQuota } from '../disk-quota.ts'
import { keyOf, mapDiskFull, previewPrefix } from '../file-paths.ts'
import { createKeyedMutex } from '../keyed-mutex.ts'
import { type UploadBounds, uploadLimits } from '../upload-limits.ts'
import type { Bucket } from './bucket.ts'
import { createErasedMarks } from './erased-marks.ts'
import { openBucket, watchBucket } from './open-bucket.ts'
import { openSpool, type Spool } from './spool.ts'

export interface S3FileStorageOptions extends UploadBounds {
  readonly bucket: Bucket
  /** Milliseconds from the upload of a file to its erasure; undefined keeps those that are not of previews. */
  readonly ttlMs: number | undefined
  /** Counts what lies in the bucket, for all processes that use it. */
  readonly counts: SharedUploadCounts
  /** Whether clients may send files to the bucket themselves. */
  readonly isDirect: boolean
  /** Called when files could not be erased in time; the erasure is retried. */
  report(error: unknown): void
}

/** Interval between two searches for old files. */
const sweepMs = 10 * 60 * 1000

/** A preview ends after a day at most unless it is kept alive, and nothing else points to its files. */
const previewMs = 24 * 60 * 60 * 1000

/** Of more owners than these, all files are listed to find theirs. */
const fewOwners = 20

type Storage = ReturnType<typeof arrange>

function arrange(options: S3FileStorageOptions) {
  const { bucket, counts, ttlMs = Infinity } = options
  return {
    bucket,
    counts,
    ttlMs,
    limits: uploadLimits(options),
    erased: createErasedMarks(bucket),
    /** Files that wait on the disk of this machine until they are whole. */
    spooled: createDiskQuota({ bytes: options.totalBytes }),
    inTurn: createKeyedMutex(),
  }
}

/**
 * Keeps uploaded files in a bucket as `<owner>/<name>`, the private ones as `<owner>/private/<name>`; other objects are
 * left alone. Nobody but this service reads them. Throws where the bucket can't be used.
 */
export async function createS3FileStorage(options: S3FileStorageOptions): Promise<UploadedFiles> {
  const { report, bucket } = options
  const storage = arrange(options)
  const running = new Set<Promise<unknown>>()
  const track = <T>(work: Promise<T>): Promise<T> => {
    const done = work.finally(() => running.delete(done))
    running.add(done)
    return done
  }
  await openBucket(bucket)
  await sweepBucket(storage)
  const sweep = () => void track(sweepBucket(storage).catch(report))
  const timer = setInterval(sweep, Math.min(storage.ttlMs, sweepMs)).unref()
  return {
    save: async (place, content, maxBytes) => track(mapDiskFull(save(place, { content, maxBytes }, storage))),
    open: (place) => openFile(keyOf(place), bucket),
    roomFor: (owner, bytes) => storage.counts.roomFor(owner, bytes, storage.limits),
    removeOwned: (owners) => track(eraseOwners(owners, storage)),
    isWritable: watchBucket(bucket),
    ...(options.isDirect && { direct: (place, file) => direct(place, file, storage) }),
    async close() {
      clearInterval(timer)
      await Promise.allSettled(running)
    },
  }
}

interface ByteSource {
  readonly content: AsyncIterable<Uint8Array>
  readonly maxBytes: number
}

async function save(place: FilePlace, source: ByteSource, storage: Storage): Promise<SaveOutcome> {
  const { owner } = place
  const key = keyOf(place)
  if (await storage.erased.has(owner)) return 'erased'
  if ((await storage.bucket.sizeOf(key)) !== undefined) return 'exists'
  const room = await storage.counts.roomFor(owner, 0, storage.limits)
  if (room !== 'enough') return room
  const spool = await openSpool(storage.spooled.begin())
  try {
    const outcome = await spool.fill(source.content, source.maxBytes)
    if (outcome !== 'filled') return outcome
    return await storage.inTurn(owner, () => settle(place, spool, storage))
  } finally {
    await spool.close()
  }
}

/** Counts the file and gives it its place, in turn: not every server refuses an object in the place of another. */
async function settle(place: FilePlace, spool: Spool, { bucket, counts, limits, erased }: Storage) {
  const key = keyOf(place)
  if ((await bucket.sizeOf(key)) !== undefined) return 'exists'
  const content = spool.content()
  const file = countedAs(key, content.bytes)
  const room = await counts.claim(file, limits)
  if (room !== 'enough') return room
  try {
    if ((await bucket.create(key, content)) === 'exists') return 'exists'
    // Whoever erases looks for files behind its mark.
    if (!(await erased.has(file.owner))) return 'saved'
  } catch (error) {
    // Without an answer nobody knows whether it is there.
    await takeBack(key, { bucket, counts }).catch(() => undefined)
    throw error
  }
  await takeBack(key, { bucket, counts })
  return 'erased'
}

/** A release that fails is made up for by a later count. */
async function takeBack(key: string, { bucket, counts }: Pick<Storage, 'bucket' | 'counts'>): Promise<void> {
  const { owner, name } = countedAs(key, 0)
  await bucket.remove(key)
  await counts.release(owner, name).catch(() => undefined)
}

/** An offer counts as a file until a later count finds none. */
async function direct(place: FilePlace, file: DirectFile, { bucket, counts, limits }: Storage) {
  const key = keyOf(place)
  const room = await counts.claim(countedAs(key, file.bytes), limits)
  return room === 'enough' ? { url: await bucket.presign(key, file) } : room
}

function countedAs(key: string, bytes: number): CountedUpload {
  const end = key.indexOf('/')
  return { owner: key.slice(0, end), name: key.slice(end + 1), bytes }
}

async function openFile(key: string, bucket: Bucket): Promise<OpenFile | undefined> {
  const size = await bucket.sizeOf(key)
  if (size === undefined) return undefined
  return { size, read: (part) => Readable.from(bucket.read(key, part)), close: async () => undefined }
}

/** The mark comes first: what is kept after it takes itself back. */
async function eraseOwners(owners: readonly string[], storage: Storage): Promise<void> {
  if (owners.length === 0) return
  const { bucket, erased } = storage
  await erased.add(owners)
  const wanted = new Set(owners)
  for (const prefix of owners.length <= fewOwners ? owners.map((owner) => `${owner}/`) : ['']) {
    for await (const { key } of bucket.list(prefix))
      if (isUpload(key) && wanted.has(countedAs(key, 0).owner)) await takeBack(key, storage)
  }
}

const isUpload = (key: string) => /^(?:preview-)?[\da-f]{32}\/(?:private\/)?[\w-]+\.[\da-z]+$/.test(key)

/**
 * Erases what is old, and what somebody sent to the bucket for an owner who was erased meanwhile; then counts what is
 * there.
 */
async function sweepBucket(storage: Storage): Promise<void> {
  const { bucket, counts, erased, ttlMs } = storage
  const marks = await erased.old()
  const gone = new Set([...marks.values()].flat())
  const found: CountedUpload[] = []
  for await (const { key, bytes, at } of bucket.list('')) {
    if (!isUpload(key)) continue
    const file = countedAs(key, bytes)
    const lifeMs = key.startsWith(previewPrefix) ? Math.min(ttlMs, previewMs) : ttlMs
    if (gone.has(file.owner) || Date.now() - at > lifeMs) await takeBack(key, storage)
    else found.push(file)
  }
  for (const mark of marks.keys()) await bucket.remove(mark)
  await counts.reconcile(found)
}
