import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Bucket } from '../../../../src/adapters/file-storage/s3/bucket.ts'
import { readListing } from '../../../../src/adapters/file-storage/s3/read-listing.ts'
import { startGate } from '../../../support/s3/gate.ts'
import { openS3Uploads } from '../../../support/s3/open-s3-uploads.ts'
import { startS3rver } from '../../../support/s3/s3rver.ts'
import { skipPauses } from '../../../support/skip-pauses.ts'
import { bytes, others, owner, place, textOf } from '../uploaded-files-contract.ts'

const gated = async () => startGate(await startS3rver())
const away = { code: 'SERVICE_UNAVAILABLE', message: 'Files can be neither kept nor read at the moment' }
const empty = { bytes: 0, open: () => Readable.from([]) }
const hour = 60 * 60 * 1000

beforeEach(() => skipPauses())

describe('a service with a bucket', () => {
  it.each([
    [403, 'was answered 403, Told, by the gate. Check UPLOADS_S3_KEY'],
    [404, 'was answered 404, Told, by the gate. Create the bucket'],
    [301, 'was answered 301, Told, by the gate. Check the address, the region'],
  ])('does not begin where the bucket answers %i', async (status, message) => {
    const gate = await gated()
    gate.decide = () => ({ status })
    await expect(openS3Uploads(gate)).rejects.toThrow(
      `Uploads can not be kept. The bucket of UPLOADS_S3_URL: GET ${message}`,
    )
  })

  it('does not begin where it may not write', async () => {
    const gate = await gated()
    gate.decide = (method) => (method === 'PUT' ? { status: 403 } : undefined)
    await expect(openS3Uploads(gate)).rejects.toThrow('PUT was answered 403')
  })

  it('does not begin where nobody listens, or something else', async () => {
    const nowhere = { url: 'http://127.0.0.1:1/uploads', keyId: 'k', secretKey: 's' }
    await expect(openS3Uploads(nowhere)).rejects.toThrow(
      'GET had no answer: The connection was refused. Check that the address is that of a bucket',
    )
    expect(() => readListing('<html></html>')).toThrow('Files can be neither kept')
  })
})

describe('a bucket that fails', () => {
  it('keeps nothing, which is told, and is told again when it is back', async () => {
    const gate = await gated()
    const { files, keys } = await openS3Uploads(gate, { totalBytes: 8192 })
    await files.save({ ...place, name: 'b.png' }, bytes('there'), 100)
    gate.decide = () => ({ status: 500 })
    await expect(files.save(place, bytes('x'), 100)).rejects.toMatchObject(away)
    await expect(files.open(place)).rejects.toMatchObject(away)
    await expect(files.removeOwned([owner])).rejects.toMatchObject(away)
    expect(await files.isWritable()).toBe(false)
    gate.decide = () => undefined
    expect(await keys()).toEqual([`${owner}/b.png`])
    await files.removeOwned([owner])
    expect(await keys()).toEqual([])
    expect(await files.save({ ...place, owner: others[0] as string }, bytes('x'), 100)).toBe('saved')
  })

  it.each([true, false])('leaves nothing of a file that it refuses, kept before that: %s', async (isDone) => {
    const gate = await gated()
    const { files, keys } = await openS3Uploads(gate, { totalBytes: 8192 })
    gate.decide = (method) => (method === 'PUT' ? { status: 503, isDone } : undefined)
    await expect(files.save(place, bytes('x'), 100)).rejects.toMatchObject(away)
    expect(await keys()).toEqual([])
    expect(await files.roomFor(owner, 4096)).toBe('enough')
    gate.decide = () => undefined
    expect(await files.save(place, bytes('x'), 100)).toBe('saved')
  })

  it('breaks off what it stops to give', async () => {
    const gate = await gated()
    const { files } = await openS3Uploads(gate)
    await files.save(place, bytes('x'), 100)
    const file = await files.open(place)
    gate.decide = () => ({ status: 404 })
    await expect(textOf(file)).rejects.toMatchObject(away)
  })

  it('is asked once by however many who want to know', async () => {
    const gate = await gated()
    const { files } = await openS3Uploads(gate)
    gate.asked.length = 0
    await Promise.all(Array.from({ length: 50 }, () => files.isWritable()))
    expect(gate.asked).toHaveLength(1)
  })
})

describe('a bucket', () => {
  it.each([412, 409])('that knows of conditions refuses a second file with %i', async (status) => {
    const gate = await gated()
    const { files } = await openS3Uploads(gate)
    const conditions: unknown[] = []
    gate.decide = (method, headers) => {
      if (method !== 'PUT') return undefined
      conditions.push(headers['if-none-match'])
      return { status }
    }
    expect(await files.save(place, bytes('x'), 100)).toBe('exists')
    expect(conditions).toEqual(['*'])
  })

  it('that knows of none is not asked for any again', async () => {
    const gate = await gated()
    const conditions: unknown[] = []
    gate.decide = (method, headers) => {
      if (method === 'PUT') conditions.push(headers['if-none-match'])
      return headers['if-none-match'] === '*' ? { status: 501 } : undefined
    }
    const { files } = await openS3Uploads(gate)
    expect(await files.save(place, bytes('x'), 100)).toBe('saved')
    expect(conditions).toEqual(['*', undefined, undefined])
  })

  it('is told what the content has to be', async () => {
    const gate = await gated()
    const { files } = await openS3Uploads(gate)
    let hash: unknown
    gate.decide = (method, headers) => {
      if (method === 'PUT') hash = headers['x-amz-content-sha256']
      return undefined
    }
    await files.save(place, bytes('ab', 'c'), 100)
    expect(hash).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it('is listed to its end', async () => {
    const pages = new Map([
      [null, page('one.png', 'a&amp;b&#43;c&#x2F;')],
      ['a&b+c/', page('two.png')],
    ])
    expect(await listedBy((token) => pages.get(token))).toEqual(['one.png', 'two.png'])
  })

  it('is not listed for ever where its server gives the same page again, nor counted by sizes that are none', async () => {
    const told = (reason: string) => ({
      ...away,
      cause: expect.objectContaining({ message: expect.stringContaining(reason) }),
    })
    await expect(listedBy(() => page('one.png', 'again'))).rejects.toMatchObject(told('the same page again'))
    const sized = (size: string) => page('one.png').replace('<Size>6</Size>', size)
    for (const size of ['', '<Size></Size>', '<Size>-5</Size>', '<Size>1e99</Size>', '<Size>many</Size>'])
      await expect(listedBy(() => sized(size))).rejects.toMatchObject(told('an object of no size'))
  })
})

/** The keys that a bucket lists whose server answers each token with a page. */
async function listedBy(pageOf: (token: string | null) => string | undefined): Promise<string[]> {
  const http = {
    async stream({ url }: { readonly url: string }) {
      return answer(pageOf(new URL(url).searchParams.get('continuation-token')))
    },
  }
  const account = { url: 'https://uploads.example', region: undefined, keyId: 'k', secretKey: 's' }
  const found: string[] = []
  for await (const { key } of new Bucket({ ...account, http }).list('')) found.push(key)
  return found
}

function page(key: string, token = ''): string {
  const next = token === '' ? '' : `<NextContinuationToken>${token}</NextContinuationToken>`
  return `<ListBucketResult xmlns="x">${next}<Contents><Key>${key}</Key><LastModified>2026-11-26T20:24:08.000Z</LastModified><Size>6</Size></Contents></ListBucketResult>`
}

const answer = (text = '') => ({ status: 200, body: bytes(text) })

describe('the age of uploads in a bucket', () => {
  it('is limited, for previews to a day, and other objects are left alone', async () => {
    const server = await startS3rver()
    const { files, again, allKeys, bucket } = await openS3Uploads(server)
    const preview = { ...place, owner: `preview-${owner}` }
    for (const saved of [place, preview]) await files.save(saved, bytes('x'), 100)
    await bucket.put('notes.txt', empty)
    await files.removeOwned([others[0] as string])
    const clock = vi.spyOn(Date, 'now')
    onTestFinished(() => clock.mockRestore())
    const start = Date.now()
    clock.mockImplementation(() => start + 25 * hour)
    await again({ ttlMs: 26 * hour })
    expect((await allKeys()).sort()).toEqual([`${owner}/a.png`, 'notes.txt'])
    clock.mockImplementation(() => start + 27 * hour)
    await again({ ttlMs: 26 * hour })
    expect(await allKeys()).toEqual(['notes.txt'])
  })

  it('ends for what comes to the bucket after its owner was erased', async () => {
    const { files, again, keys, bucket } = await openS3Uploads(await startS3rver(), { isDirect: true })
    await files.removeOwned([owner])
    await bucket.put(`${owner}/late.png`, empty)
    await again()
    expect(await keys()).toEqual([`${owner}/late.png`])
    const clock = vi.spyOn(Date, 'now')
    onTestFinished(() => clock.mockRestore())
    const start = Date.now()
    clock.mockImplementation(() => start + hour / 3)
    await again()
    expect(await keys()).toEqual([])
  })
})
