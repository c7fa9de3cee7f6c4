import { randomUUID } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eraseFile, fileMode, ignoreMissing, makeFolder } from './file-paths.ts'

/** Longer than an upload address can be used, and than the clocks of two machines differ. */
const markedMs = 15 * 60 * 1000

/** Ending of the names of files that list owners. */
const listSuffix = '.list'

/**
 * Owners whose files were erased lately. They are marked on the disk, so that an upload that comes late is refused
 * by another process too, and by the next one: by an empty file for one in `<folder>/erased/`, and a list of those that were
 * erased together.
 */
export function createErasedOwners(uploads: string) {
  const folder = join(uploads, 'erased')
  return {
    async add(owners: readonly string[]): Promise<void> {
      await makeFolder(folder)
      const [first] = owners
      const isOne = first !== undefined && owners.length === 1
      const name = isOne ? first : `${randomUUID()}${listSuffix}`
      await writeFile(join(folder, name), isOne ? '' : owners.join('\n'), { mode: fileMode })
    },
    async has(owner: string): Promise<boolean> {
      if (await ignoreMissing(stat(join(folder, owner)))) return true
      for (const name of (await ignoreMissing(readdir(folder))) ?? []) {
        const list = name.endsWith(listSuffix)
          ? await ignoreMissing(readFile(join(folder, name), 'utf8'))
          : undefined
        if (list?.split('\n').includes(owner)) return true
      }
      return false
    },
    /** Takes away marks that nothing can come too late for any more. */
    async sweep(): Promise<void> {
      const latest = Date.now() - markedMs
      for (const owner of (await ignoreMissing(readdir(folder))) ?? []) {
        const mark = await ignoreMissing(stat(join(folder, owner)))
        if (mark && mark.mtimeMs < latest) await eraseFile(join(folder, owner))
      }
    },
  }
}
