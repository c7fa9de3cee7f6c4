import { access, constants, open, readdir, stat } from 'node:fs/promises'
import type { CountedUpload, SharedUploadCounts } from '../../ports/known-types.ts'
import type { OpenFile, UploadedFiles } from '../../ports/uploaded-files-port.ts'
import {
  ignoreMissing,
  listFiles,
  listOwners,
  makeFolder,
  mapDiskFull,
  pathIn,
  previewPrefix,
  removeEmpty,
  sumSizes,
} from './file-paths.ts'
import { createUploadFolder, nameIn, type UploadFolder } from './upload-folder.ts'
import type { UploadBounds } from './upload-limits.ts'
import { writeUpload } from './write-file.ts'

export interface DiskFileStorageOptions extends UploadBounds {
  readonly folder: string
  /** Milliseconds from the upload of a file to its erasure; undefined keeps those that are not of previews. */
  readonly ttlMs: number | undefined
  /** Counts what all processes keep in the folder; without it no other process writes there. */
  readonly counts?: SharedUploadCounts | undefined
  /** Called when files could not be erased in time; the erasure is retried. */
  report(error: unknown): void
}

/** Longest interval between two searches for old files. */
const longestWaitMs = 10 * 60 * 1000

/** A preview ends after a day at most unless it is kept alive, and nothing else points to its files. */
const previewMs = 24 * 60 * 60 * 1000

/** A part without writes for so long belongs to an upload whose process ended. */
const abandonedMs = 60 * 60 * 1000

async function openFolder(path: string): Promise<void> {
  try {
    await makeFolder(path)
    await readdir(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(`UPLOADS_DIR cannot be used as a folder (${code}): ${path}`, { cause })
  }
}

/**
 * Keeps uploaded files in `<folder>/<owner>/`, the private ones in a folder inside; other content of the folder is left
 * alone. Processes may share a folder if `counts` counts for all of them.
 */
export async function createDiskFileStorage(options: DiskFileStorageOptions): Promise<UploadedFiles> {
  const { ttlMs = Infinity, report } = options
  const folder = createUploadFolder(options.folder, options, options.counts)
  const running = new Set<Promise<unknown>>()
  const track = <T>(work: Promise<T>): Promise<T> => {
    const done = work.finally(() => running.delete(done))
    running.add(done)
    return done
  }
  const sweep = () => track(sweepFolder(folder, ttlMs, report).catch(report))
  await openFolder(folder.path)
  for (const owner of await listOwners(folder.path)) {
    for await (const size of sumSizes(folder.pathOf(owner))) folder.space.add(size)
  }
  await sweep()
  if (folder.shared) await folder.shared.reconcile(await countAll(folder))
  const timer = setInterval(() => void sweep(), Math.min(ttlMs, longestWaitMs)).unref()
  return {
    save: (place, content, maxBytes) => track(mapDiskFull(writeUpload(place, { content, maxBytes }, folder))),
    open: (place) => openFile(pathIn(folder.path, place)),
    roomFor: (owner, bytes) => folder.inTurn(owner, () => roomFor(owner, bytes, folder)),
    removeOwned: (owners) => track(eraseOwners(owners, folder)),
    isWritable: () => isWritable(folder.path),
    async close() {
      clearInterval(timer)
      await Promise.allSettled(running)
    },
  }
}

/** Every whole file that lies there. */
async function countAll(folder: UploadFolder): Promise<CountedUpload[]> {
  const found: CountedUpload[] = []
  for (const owner of await listOwners(folder.path)) {
    const ownFolder = folder.pathOf(owner)
    for (const { path, isPart } of await listFiles(ownFolder)) {
      const bytes = isPart ? undefined : (await ignoreMissing(stat(path)))?.size
      if (bytes !== undefined) found.push({ owner, name: nameIn(ownFolder, path), bytes })
    }
  }
  return found
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    // As each upload does.
    await makeFolder(folder)
    await access(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function openFile(path: string): Promise<OpenFile | undefined> {
  const file = await ignoreMissing(open(path))
  if (!file) return undefined
  const { size } = await file.stat()
  return { size, read: (part) => file.createReadStream(part), close: () => file.close() }
}

async function roomFor(owner: string, bytes: number, { space, spaces, shared }: UploadFolder) {
  if (shared) return shared.roomFor(owner, bytes)
  const own = await spaces.hold(owner)
  spaces.letGo(owner)
  if (!own.hasRoomFor(bytes)) return 'owner full'
  return space.hasRoomFor(bytes) ? 'enough' : 'full'
}

/** The mark needs room on the disk, which there may only be afterwards; what comes before it is erased behind it. */
async function eraseOwners(owners: readonly string[], folder: UploadFolder): Promise<void> {
  const eraseAll = async () => {
    for (const owner of await ownersWithFolder(owners, folder)) {
      await folder.inTurn(owner, async () => {
        await eraseFiles(owner, folder)
        await removeEmpty(folder.pathOf(owner))
      })
    }
  }
  await eraseAll()
  await folder.erased.add(owners)
  await eraseAll()
}

/** Of many, most have none: to look for each by itself takes longer than to list them all. */
async function ownersWithFolder(
  owners: readonly string[],
  { path }: UploadFolder,
): Promise<readonly string[]> {
  if (owners.length === 1) return owners
  const there = new Set(await listOwners(path))
  return owners.filter((owner) => there.has(owner))
}

async function eraseFiles(owner: string, folder: UploadFolder): Promise<void> {
  for (const file of await listFiles(folder.pathOf(owner))) await folder.erase(owner, file)
}

/** Erases expired files, abandoned parts and empty folders. */
async function sweepFolder(
  folder: UploadFolder,
  ttlMs: number,
  report: (error: unknown) => void,
): Promise<void> {
  await folder.erased.sweep()
  for (const owner of await listOwners(folder.path)) {
    const lifeMs = owner.startsWith(previewPrefix) ? Math.min(ttlMs, previewMs) : ttlMs
    await folder.inTurn(owner, () => sweepOwner(owner, lifeMs, folder)).catch(report)
  }
}

async function sweepOwner(owner: string, lifeMs: number, folder: UploadFolder): Promise<void> {
  const now = Date.now()
  let left = 0
  for (const file of await listFiles(folder.pathOf(owner))) {
    const found = await ignoreMissing(stat(file.path))
    const isOld = found && now - found.mtimeMs > (file.isPart ? abandonedMs : lifeMs)
    if (isOld) await folder.erase(owner, file)
    else left += 1
  }
  if (left === 0) await removeEmpty(folder.pathOf(owner))
}
