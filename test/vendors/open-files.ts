import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createDiskFileStorage } from '../../src/adapters/file-storage/disk-file-storage.ts'

/** A folder for the files of conversations, which goes with the test. */
export async function openFiles(totalBytes = 1024 * 1024) {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-files-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const report = (error: unknown) => {
    throw error
  }
  const files = await createDiskFileStorage({
    folder,
    totalBytes,
    fileBytes: totalBytes,
    ttlMs: undefined,
    report,
  })
  onTestFinished(() => files.close())
  return { folder, files }
}
