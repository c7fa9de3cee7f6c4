import { onTestFinished } from 'vitest'
import { Bucket } from '../../../src/adapters/file-storage/s3/bucket.ts'
import {
  createS3FileStorage,
  type S3FileStorageOptions,
} from '../../../src/adapters/file-storage/s3/s3-file-storage.ts'
import { parseAllowList } from '../../../src/adapters/http-client/egress/allow-list.ts'
import { createHttpClient } from '../../../src/adapters/http-client/http-client.ts'
import { createMemoryUploadCounts } from '../../../src/stores/in-process/memory-upload-counts.ts'
import type { TestBucket } from './s3rver.ts'

/** A bucket over the real HTTP client, which opens nothing to flows. */
function openBucketOf({ url, keyId, secretKey }: TestBucket) {
  const http = createHttpClient({ allow: parseAllowList('') })
  onTestFinished(() => http.close())
  return new Bucket({ url, keyId, secretKey, region: undefined, http })
}

/** Uploads in a bucket, and a second process over the same, which shares its counts as processes with a database do. */
export async function openS3Uploads(on: TestBucket, given: Partial<S3FileStorageOptions> = {}) {
  const reports: unknown[] = []
  const bucket = openBucketOf(on)
  const clock = { now: () => Date.now() }
  const counts = createMemoryUploadCounts(() => clock.now())
  const again = async (more: Partial<S3FileStorageOptions> = {}) => {
    const report = (error: unknown) => void reports.push(error)
    const bounds = { totalBytes: 1_000_000, fileBytes: 1_000_000, ttlMs: undefined, isDirect: false }
    const files = await createS3FileStorage({ ...bounds, bucket, counts, report, ...given, ...more })
    onTestFinished(() => files.close())
    return files
  }
  const allKeys = async () => {
    const found: string[] = []
    for await (const { key } of bucket.list('')) found.push(key)
    return found
  }
  const keys = async () => (await allKeys()).filter((key) => !key.startsWith('erased/'))
  return { files: await again(), again, keys, allKeys, reports, bucket, clock }
}
