import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eraseFile, fileMode, makeFolder } from './file-paths.ts'
import { ignoreMissing } from './fs-errors.ts'

/**
 * Owners whose files were erased lately. They are marked on the disk, so that an upload that comes late is refused
 * by another process too, and by the next one.
 */
export interface ErasedOwners {
  add(owner: string): Promise<void>
  has(owner: string): Promise<boolean>
  /** Takes away marks that nothing can come too late for any more. */
  sweep(): Promise<void>
}

/** Longer than an upload address can be used, and than the clocks of two machines differ. */
const markedMs = 15 * 60 * 1000

/** Keeps an empty file for each in `<folder>/erased/`. */
export function createErasedOwners(uploads: string): ErasedOwners {
  const folder = join(uploads, 'erased')
  return {
    async add(owner) {
      await makeFolder(folder)
      await writeFile(join(folder, owner), '', { mode: fileMode })
    },
    has: async (owner) => (await ignoreMissing(stat(join(folder, owner)))) !== undefined,
    async sweep() {
      const latest = Date.now() - markedMs
      for (const owner of (await ignoreMissing(readdir(folder))) ?? []) {
        const mark = await ignoreMissing(stat(join(folder, owner)))
        if (mark && mark.mtimeMs < latest) await eraseFile(join(folder, owner))
      }
    },
  }
}
