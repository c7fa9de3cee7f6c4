import { describe, expect, it } from 'vitest'
import { openS3Uploads } from '../../support/s3/open-s3-uploads.ts'
import type { TestBucket } from '../../support/s3/s3rver.ts'
import { owner, place, textOf } from './uploaded-files-contract.ts'

const file = { type: 'image/png', bytes: 5, seconds: 600 }

/** Offers an address for five bytes, and sends what it is given there. */
export async function offerDirectly(open: () => Promise<TestBucket>) {
  const world = await openS3Uploads(await open(), { isDirect: true, fileBytes: 1000 })
  const offered = await world.files.direct?.(place, file)
  if (typeof offered !== 'object') throw new Error('nothing was offered')
  const send = async (body: string, type = file.type, url = offered.url) =>
    (await fetch(url, { method: 'PUT', body, headers: { 'content-type': type } })).status
  return { ...world, ...offered, send }
}

/** What files keep to that a client sends to the bucket itself, on every server. */
export function describeDirectUploads(name: string, open: () => Promise<TestBucket>): void {
  describe(`uploads that go ${name} directly`, () => {
    it('are read and erased as all others', async () => {
      const { files, send, keys } = await offerDirectly(open)
      expect(await send('hello')).toBe(200)
      expect(await textOf(await files.open(place))).toBe('hello')
      await files.removeOwned([owner])
      expect(await keys()).toEqual([])
    })

    it('are counted from the offer on, until it turns out that none came', async () => {
      const { files, clock, again } = await offerDirectly(open)
      for (let number = 1; number < 20; number++)
        expect(await files.direct?.({ ...place, name: `${number}.png` }, file)).toHaveProperty('url')
      expect(await files.direct?.({ ...place, name: '20.png' }, file)).toBe('owner full')
      expect(await files.roomFor(owner, 1)).toBe('owner full')
      clock.now = () => Date.now() + 2 * 60 * 60 * 1000
      const later = await again()
      expect(await later.roomFor(owner, 5000)).toBe('enough')
    })
  })
}
