import { readdir, rm, stat, unlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { DiskSpace } from './disk-space.ts'

/** What the name of a file ends in while it is being written. */
export const partSuffix = '.part'

/** A file that nobody has written to for so long belongs to an upload that was cut off with its process. */
const abandonedMs = 60 * 60 * 1000

const owners = /^[\da-f]{32}$/

/** A whole file or a part of one, in the place that an upload gives it. */
const uploaded = /^(?:private[\\/])?[\w-]+\.[\da-z]+(?:\.part)?$/

/** Counts the files that are there. Parts are not counted: they count for whoever writes them. */
export async function countFiles(folder: string, space: DiskSpace): Promise<void> {
  for await (const path of filesIn(folder)) {
    const found = isPart(path) ? undefined : await existing(stat(path))
    if (found) space.add(found.size)
  }
}

/** Erases files that were uploaded too long ago, and parts that nobody goes on with. */
export async function removeOld(folder: string, ttlMs: number | undefined, space: DiskSpace): Promise<void> {
  const now = Date.now()
  for await (const path of filesIn(folder)) {
    const lifeMs = isPart(path) ? abandonedMs : (ttlMs ?? Number.POSITIVE_INFINITY)
    const found = await existing(stat(path))
    if (found && now - found.mtimeMs > lifeMs) await remove(path, space)
  }
}

/** Erases everything in the folder of an owner. */
export async function removeAll(folder: string, space: DiskSpace): Promise<void> {
  for (const path of await filesOf(folder)) await remove(path, space)
  await rm(folder, { recursive: true, force: true })
}

/** The outcome of an operation on a file; undefined when there is no such file. */
export async function existing<T>(operation: Promise<T>): Promise<T | undefined> {
  return unless('ENOENT', operation)
}

/** The outcome of an operation; undefined when it fails with the given code. */
export async function unless<T>(code: string, operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined
    throw error
  }
}

async function remove(path: string, space: DiskSpace): Promise<void> {
  const found = await existing(stat(path))
  const isRemoved = await existing(unlink(path).then(() => true))
  if (found && isRemoved && !isPart(path)) space.remove(found.size)
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  for (const owner of await readdir(folder)) if (owners.test(owner)) yield* await filesOf(join(folder, owner))
}

/** Only what uploads left there: the operator may have named a folder that holds other things. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await existing(readdir(folder, { recursive: true, withFileTypes: true }))
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => uploaded.test(relative(folder, path)))
}

function isPart(path: string): boolean {
  return path.endsWith(partSuffix)
}
