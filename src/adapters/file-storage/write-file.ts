import { randomUUID } from 'node:crypto'
import { type FileHandle, link, open, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { FilePlace, SaveOutcome } from '../../ports/uploaded-files-port.ts'
import type { QuotaReservation } from './disk-quota.ts'
import { fileMode, ignoreError, ignoreMissing, makeFolder, partSuffix, pathIn } from './file-paths.ts'
import { nameIn, type UploadFolder } from './upload-folder.ts'

interface ByteSource {
  readonly content: AsyncIterable<Uint8Array>
  readonly maxBytes: number
}

/** A file that is being written beside its place. */
interface Part {
  readonly path: string
  readonly file: FileHandle
  /** Reservation in the quota of its owner, and in that of all. */
  readonly ofOwner: QuotaReservation
  readonly ofAll: QuotaReservation
}

/**
 * Writes a file beside its place, and gives it the place once it is whole. The first that is whole gets the place: an upload
 * that hangs does not keep its visitor from trying again.
 */
export async function writeUpload(
  place: FilePlace,
  source: ByteSource,
  folder: UploadFolder,
): Promise<SaveOutcome> {
  const { owner } = place
  const path = pathIn(folder.path, place)
  const part = await folder.inTurn(owner, () => begin(path, owner, folder))
  if (typeof part === 'string') return part
  let outcome: SaveOutcome | undefined
  try {
    outcome = await write(part, source)
    await part.file.close()
    if (outcome === 'saved') outcome = await folder.inTurn(owner, () => settle(part, path, owner, folder))
    return outcome
  } finally {
    const isSaved = outcome === 'saved'
    if (!isSaved) for (const growing of [part.ofOwner, part.ofAll]) growing.giveUp()
    folder.spaces.letGo(owner)
    await part.file.close()
    if (!isSaved) await rm(part.path, { force: true })
  }
}

async function begin(path: string, owner: string, { erased, spaces, space, shared }: UploadFolder) {
  if (await erased.has(owner)) return 'erased'
  if (await ignoreMissing(stat(path))) return 'exists'
  const room = (await shared?.roomFor(owner, 0)) ?? 'enough'
  if (room !== 'enough') return room
  const part = `${path}.${randomUUID()}${partSuffix}`
  const own = await spaces.hold(owner)
  try {
    const file = await openPart(part)
    return { path: part, file, ofOwner: own.begin(), ofAll: space.begin() }
  } catch (error) {
    spaces.letGo(owner)
    throw error
  }
}

/** Another process may take the empty folder away in between. */
async function openPart(path: string): Promise<FileHandle> {
  for (let isLast = false; ; isLast = true) {
    await makeFolder(dirname(path))
    const opening = open(path, 'wx', fileMode)
    const file = await (isLast ? opening : ignoreMissing(opening))
    if (file) return file
  }
}

async function write(
  { file, ofOwner, ofAll }: Part,
  { content, maxBytes }: ByteSource,
): Promise<SaveOutcome> {
  const refusal = (bytes: number) =>
    ofOwner.grow(bytes) ? (ofAll.grow(bytes) ? undefined : 'full') : 'owner full'
  let refused: SaveOutcome | undefined = refusal(0)
  if (refused) return refused
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > maxBytes) return 'too large'
    refused = refusal(chunk.length)
    if (refused) return refused
    await file.appendFile(chunk)
  }
  return 'saved'
}

/** Gives the file its place where there is room for it; other processes may have taken that meanwhile. */
async function settle(part: Part, path: string, owner: string, folder: UploadFolder): Promise<SaveOutcome> {
  const { shared } = folder
  if (!shared) return place(part, path, owner, folder)
  const name = nameIn(folder.pathOf(owner), path)
  const { size: bytes } = await stat(part.path)
  const room = await shared.claim({ owner, name, bytes })
  if (room !== 'enough') return room
  const outcome = await place(part, path, owner, folder)
  // An existing file is counted under the same name.
  if (outcome === 'erased') await shared.release(owner, name)
  return outcome
}

/**
 * Gives the file its place, which can be done once only, and shows it whole from the first moment. Marks of erasure are
 * looked at afterwards too: another process that sets one erases what it finds then.
 */
async function place(
  part: Part,
  path: string,
  owner: string,
  { erased }: UploadFolder,
): Promise<SaveOutcome> {
  if (await erased.has(owner)) return 'erased'
  const placed = await ignoreMissing(takePlace(part.path, path))
  if (placed === 'exists') return 'exists'
  if (placed && !(await erased.has(owner))) return 'saved'
  await rm(path, { force: true })
  return 'erased'
}

/** A second name, and the first one taken away: a crash in between leaves a part, which is swept. */
async function takePlace(part: string, path: string): Promise<'placed' | 'exists'> {
  const isLinked = await ignoreError(
    ['EEXIST'],
    link(part, path).then(() => true),
  )
  if (!isLinked) return 'exists'
  await rm(part, { force: true })
  return 'placed'
}
