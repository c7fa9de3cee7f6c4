import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeDirectUploads, offerDirectly } from '../adapters/file-storage/direct-uploads-contract.ts'
import { describeUploadedFiles } from '../adapters/file-storage/uploaded-files-contract.ts'
import { installedTool } from '../support/installed-tool.ts'
import { openS3Uploads } from '../support/s3/open-s3-uploads.ts'
import { startSwift } from '../support/s3/swift.ts'

describe.each(installedTool('swift-proxy-server', 'uploads in a bucket of Swift'))('%s', () => {
  let swift: Awaited<ReturnType<typeof startSwift>>
  beforeAll(async () => {
    swift = await startSwift()
  })
  afterAll(() => swift.stop())

  describeUploadedFiles('in a bucket of Swift', async (bounds) =>
    openS3Uploads(await swift.createBucket(), bounds),
  )
  describeDirectUploads('to a bucket of Swift', () => swift.createBucket())

  it.each([
    ['longer than was signed', 'hello!', 'image/png'],
    ['shorter than was signed', 'hell', 'image/png'],
    ['of another type', 'hello', 'text/html'],
  ])('takes no file from a client that is %s', async (_name, body, type) => {
    const { send, keys } = await offerDirectly(() => swift.createBucket())
    expect(await send(body, type)).toBe(403)
    expect(await keys()).toEqual([])
  })

  it('takes no file from a client at another place, for longer, or unsigned', async () => {
    const { url, send, keys } = await offerDirectly(() => swift.createBucket())
    const elsewhere = url.replace('a.png', 'b.png')
    const longer = url.replace('Expires=600', 'Expires=6000')
    for (const address of [elsewhere, longer]) expect(await send('hello', 'image/png', address)).toBe(403)
    expect(await send('hello', 'image/png', url.split('?')[0])).toBe(400)
    expect(await keys()).toEqual([])
  })

  it('refuses a wrong key with the names of the variables', async () => {
    const bucket = { ...(await swift.createBucket()), secretKey: 'wr0ng' }
    const refusal = await openS3Uploads(bucket).catch((error: Error) => error.message)
    expect(refusal).toContain('GET was answered 403, SignatureDoesNotMatch')
    expect(refusal).toContain('Check UPLOADS_S3_KEY and the region')
    expect(refusal).not.toContain('wr0ng')
  })
})
