import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A bucket on a server, and the key that opens it. */
export interface TestBucket {
  readonly url: string
  readonly keyId: string
  readonly secretKey: string
}

interface S3rver {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}

type S3rverClass = new (options: object) => S3rver

/** Starts a server in this process until the test is over, with a bucket that is empty. */
export async function startS3rver(): Promise<TestBucket> {
  const Server = createRequire(import.meta.url)('s3rver') as S3rverClass
  const directory = await mkdtemp(join(tmpdir(), 's3rver-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const configureBuckets = [{ name: 'uploads', configs: [] }]
  const server = new Server({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
  const { port } = await server.run()
  onTestFinished(() => server.close())
  return { url: `http://127.0.0.1:${port}/uploads`, keyId: 'S3RVER', secretKey: 'S3RVER' }
}
