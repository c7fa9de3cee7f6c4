import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FilePlace, OpenFile, UploadedFiles } from '../ports.ts'
import { createDiskSpace, type DiskSpace } from './disk-space.ts'
import { countFiles, existing, partSuffix, removeAll, removeOld, unless } from './upload-folder.ts'

export interface DiskUploadsOptions {
  readonly folder: string
  /** Bytes of all files together, each with what it takes besides its content. */
  readonly totalBytes: number
  /** Milliseconds from the upload of a file to its erasure; undefined keeps files. */
  readonly ttlMs: number | undefined
  /** Told when files could not be erased in time; it is tried again. */
  report(error: unknown): void
}

/** How often files are looked through for old ones, at least. */
const longestWaitMs = 10 * 60 * 1000

/**
 * Keeps uploaded files in `<folder>/<owner>/`, the private ones in a folder inside; whatever else lies in the folder
 * is left alone. Processes may share a folder; each counts what it found when it started, and what it wrote itself.
 */
export async function createDiskUploads(options: DiskUploadsOptions): Promise<UploadedFiles> {
  const { folder, ttlMs, totalBytes, report } = options
  const space = createDiskSpace(totalBytes)
  await mkdir(folder, { recursive: true })
  await countFiles(folder, space)
  await removeOld(folder, ttlMs, space)
  const sweep = () => void removeOld(folder, ttlMs, space).catch(report)
  const timer = ttlMs === undefined ? undefined : setInterval(sweep, Math.min(ttlMs, longestWaitMs)).unref()
  const pathOf = ({ owner, name, isPrivate }: FilePlace) =>
    isPrivate ? join(folder, owner, 'private', name) : join(folder, owner, name)
  return {
    save: (place, content, maxBytes) => save(pathOf(place), { content, maxBytes, space }),
    open: (place) => openFile(pathOf(place)),
    hasRoomFor: (bytes) => space.hasRoomFor(bytes),
    removeOwned: (owner) => removeAll(join(folder, owner), space),
    close: async () => clearInterval(timer),
  }
}

interface Source {
  readonly content: AsyncIterable<Uint8Array>
  readonly maxBytes: number
  readonly space: DiskSpace
}

/**
 * Writes beside the place and moves the file there once it is whole. The name beside the place can be taken once
 * only, so that of two uploads one is refused; the place is looked at afterwards, as the other may just be done.
 */
async function save(path: string, source: Source): ReturnType<UploadedFiles['save']> {
  const part = `${path}${partSuffix}`
  await mkdir(dirname(path), { recursive: true })
  const file = await unless('EEXIST', open(part, 'wx'))
  if (!file) return 'exists'
  const grown = source.space.begin()
  let isKept = false
  try {
    if (await existing(stat(path))) return 'exists'
    const outcome = await write(source, (chunk) => file.appendFile(chunk), grown.grow)
    await file.close()
    // Missing when its owner was erased meanwhile, and then it is to stay so.
    if (outcome === 'saved') isKept = (await existing(rename(part, path).then(() => true))) ?? false
    return outcome
  } finally {
    await file.close()
    if (!isKept) {
      grown.giveUp()
      await rm(part, { force: true })
    }
  }
}

async function write(
  { content, maxBytes }: Source,
  append: (chunk: Uint8Array) => Promise<void>,
  grow: (bytes: number) => boolean,
): ReturnType<UploadedFiles['save']> {
  if (!grow(0)) return 'full'
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > maxBytes) return 'too large'
    if (!grow(chunk.length)) return 'full'
    await append(chunk)
  }
  return 'saved'
}

async function openFile(path: string): Promise<OpenFile | undefined> {
  const file = await existing(open(path))
  if (!file) return undefined
  const { size } = await file.stat()
  return { size, read: (part) => file.createReadStream(part), close: () => file.close() }
}
