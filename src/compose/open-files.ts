import type { Logger } from 'pino'
import { createDiskFileStorage } from '../adapters/file-storage/disk-file-storage.ts'
import type { Config } from '../config/config.ts'
import type { HttpClient } from '../ports/http-client-port.ts'
import type { UploadedFiles } from '../ports/uploaded-files-port.ts'
import { createMemoryUploadCounts } from '../stores/in-process/memory-upload-counts.ts'
import type { SharedUploadCounts } from '../stores/upload-counts.ts'

interface Means {
  readonly http: HttpClient
  /** Of several processes; undefined where this one is alone. */
  readonly counts: SharedUploadCounts | undefined
}

/** Opens the folder or the bucket of uploads; undefined where files are refused. */
export async function openFiles(
  { uploads }: Config,
  log: Logger,
  { http, counts }: Means,
): Promise<UploadedFiles | undefined> {
  if (!uploads) return undefined
  const { place, totalBytes, fileBytes, ttlMs } = uploads
  const report = (err: unknown) => log.error({ err }, 'old uploads could not be erased')
  const terms = { totalBytes, fileBytes, ttlMs, report }
  if ('folder' in place) return createDiskFileStorage({ ...terms, folder: place.folder, counts })
  const { Bucket } = await import('../adapters/file-storage/s3/bucket.ts')
  const { createS3FileStorage } = await import('../adapters/file-storage/s3/s3-file-storage.ts')
  return createS3FileStorage({
    ...terms,
    bucket: new Bucket({ ...place, http }),
    counts: counts ?? createMemoryUploadCounts(() => Date.now()),
    isDirect: place.isDirect,
  })
}
