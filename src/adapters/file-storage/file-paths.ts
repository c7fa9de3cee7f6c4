import { mkdir, readdir, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { FilePlace } from '../../ports/uploaded-files-port.ts'

/** Suffix of a file that is being written. */
export const partSuffix = '.part'

/** Names of owners whose files are kept for a short time only begin with this. */
export const previewPrefix = 'preview-'

const owners = /^(?:preview-)?[\da-f]{32}$/

const names = /^[\w-]+\.[\da-z]+$/

/** A whole file or a part of one, in the place that an upload gives it. */
const uploaded = /^(?:private[\\/])?[\w-]+\.[\da-z]+(?:\.[\w-]+\.part)?$/

/** Files of visitors are readable by the service alone. */
const folderMode = 0o700
export const fileMode = 0o600

/** A file that lies in the folder of an owner. */
export interface FoundFile {
  readonly path: string
  readonly isPart: boolean
}

/** Path of a file. Throws for a place that the service can't have made, before anything outside is touched. */
export function pathIn(folder: string, place: FilePlace): string {
  return join(folder, keyOf(place))
}

/** The same from where all files are, with `/` on every system. */
export function keyOf({ owner, name, isPrivate }: FilePlace): string {
  if (!owners.test(owner) || !names.test(name)) throw new Error('This is no place of an upload')
  return isPrivate ? `${owner}/private/${name}` : `${owner}/${name}`
}

/** Does what `recursive` does, which tries for ever where a folder that is there takes none. */
export async function makeFolder(path: string): Promise<void> {
  if ((await ignoreMissing(stat(path)))?.isDirectory()) return
  if (dirname(path) !== path) await makeFolder(dirname(path))
  // Another process may have made it just now; a path that is no folder fails at its next use.
  await ignoreError(['EEXIST'], mkdir(path, { mode: folderMode }))
}

/** Every owner with a folder, empty or not. */
export async function listOwners(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => owners.test(name))
}

/** Only what uploads left there: the operator may have named a folder that holds other things. */
export async function listFiles(ownFolder: string): Promise<FoundFile[]> {
  const entries = await ignoreMissing(readdir(ownFolder, { recursive: true, withFileTypes: true }))
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => uploaded.test(relative(ownFolder, path)))
    .map((path) => ({ path, isPart: path.endsWith(partSuffix) }))
}

/** The sizes of the whole files of an owner. Parts are not counted: their writer has reserved them. */
export async function* sumSizes(ownFolder: string): AsyncGenerator<number> {
  for (const { path, isPart } of await listFiles(ownFolder)) {
    const found = isPart ? undefined : await ignoreMissing(stat(path))
    if (found) yield found.size
  }
}

/** Erases a file and returns its size; undefined when it was already gone. */
export async function eraseFile(path: string): Promise<number | undefined> {
  const found = await ignoreMissing(stat(path))
  const isErased = await ignoreMissing(unlink(path).then(() => true))
  return isErased ? found?.size : undefined
}

/** Takes the folder of an owner away unless something lies in it. */
export async function removeEmpty(ownFolder: string): Promise<void> {
  for (const folder of [join(ownFolder, 'private'), ownFolder]) {
    await ignoreError(['ENOENT', 'ENOTEMPTY', 'EEXIST'], rmdir(folder))
  }
}

/** The outcome of an operation on a file; undefined when there is no such file. */
export async function ignoreMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  return ignoreError(['ENOENT'], operation)
}

/** The outcome of an operation; undefined when it fails with one of the given codes. */
export async function ignoreError<T>(
  codes: readonly string[],
  operation: Promise<T>,
): Promise<T | undefined> {
  try {
    return await operation
  } catch (error) {
    if (codes.includes(String(Object(error).code))) return undefined
    throw error
  }
}

/** The outcome of an operation; `disk full` when the disk has no room, or none for the user of this process. */
export async function mapDiskFull<T>(operation: Promise<T>): Promise<T | 'disk full'> {
  const outcome = operation.then((value) => ({ value }))
  const done = await ignoreError(['ENOSPC', 'EDQUOT'], outcome)
  return done ? done.value : 'disk full'
}
