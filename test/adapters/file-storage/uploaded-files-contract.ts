import { describe, expect, it } from 'vitest'
import type { OpenFile, UploadedFiles } from '../../../src/ports/uploaded-files-port.ts'

interface Bounds {
  readonly totalBytes?: number
  readonly fileBytes?: number
}

interface OpenedUploads {
  readonly files: UploadedFiles
  /** What lies there of uploads, whole or not. */
  keys(): Promise<readonly string[]>
  /** A process that begins on the same while the other goes on. */
  again(bounds?: Bounds): Promise<UploadedFiles>
}

/** Opens an empty place for uploads. Of bounds, a megabyte each unless given. */
export type OpenUploads = (bounds?: Bounds) => Promise<OpenedUploads>

export const owner = '0123456789abcdef0123456789abcdef'
export const place = { owner, name: 'a.png', isPrivate: false }
const secret = { owner, name: 'a.png', isPrivate: true }
export const others = ['a', 'b', 'c', 'd', 'e', 'f'].map((digit) => digit.repeat(32))
const other = { ...place, owner: others[0] as string }

export async function* bytes(...chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

async function* broken() {
  yield Buffer.from('half')
  throw new Error('hung up')
}

export async function textOf(file: OpenFile | undefined, part?: { start: number; end: number }) {
  if (!file) return undefined
  const chunks = await file.read(part).toArray()
  return Buffer.concat(chunks).toString()
}

/** A content that waits half-way, until it is told to go on or to break off. */
export function halting() {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  let goOn = () => {}
  let breakOff: (error: Error) => void = () => {}
  const going = new Promise<void>((resolve, reject) => {
    goOn = resolve
    breakOff = reject
  })
  async function* content() {
    yield Buffer.from('half')
    arrive()
    await going
    yield Buffer.from('whole')
  }
  return { content: content(), arrived, goOn, breakOff }
}

const roomForOthers = async (files: UploadedFiles, size: number) =>
  (await files.roomFor(others[5] as string, size)) === 'enough'

/** What every implementation of UploadedFiles keeps to. */
export function describeUploadedFiles(name: string, open: OpenUploads): void {
  describe(`uploads ${name}`, () => {
    keeping(open)
    refusing(open)
    counting(open)
    erasing(open)
  })
}

function keeping(open: OpenUploads): void {
  it('gives back what was saved, whole and in parts', async () => {
    const { files } = await open()
    expect(await files.save(place, bytes('one ', 'two'), 100)).toBe('saved')
    const file = await files.open(place)
    expect(file?.size).toBe(7)
    expect(await textOf(file)).toBe('one two')
    expect(await textOf(await files.open(place), { start: 4, end: 5 })).toBe('tw')
    expect(await textOf(await files.open(place), { start: 6, end: 6 })).toBe('o')
  })

  it('gives back bytes as they were', async () => {
    const { files } = await open()
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256))
    async function* chunks() {
      for (let start = 0; start < content.length; start += 65_536)
        yield content.subarray(start, start + 65_536)
    }
    expect(await files.save(place, chunks(), content.length)).toBe('saved')
    const file = await files.open(place)
    expect(Buffer.concat((await file?.read().toArray()) ?? []).equals(content)).toBe(true)
  })

  it('keeps an empty file', async () => {
    const { files } = await open()
    expect(await files.save(place, bytes(), 100)).toBe('saved')
    expect(await textOf(await files.open(place))).toBe('')
  })

  it('keeps private files apart from public ones of the same name', async () => {
    const { files } = await open()
    await files.save(place, bytes('seen'), 100)
    await files.save(secret, bytes('unseen'), 100)
    expect(await textOf(await files.open(place))).toBe('seen')
    expect(await textOf(await files.open(secret))).toBe('unseen')
  })

  it('knows nothing of a file that was not saved', async () => {
    const { files } = await open()
    await files.save(secret, bytes('unseen'), 100)
    expect(await files.open(place)).toBeUndefined()
  })

  it.each([
    ['an owner above', { ...place, owner: '../flows' }],
    ['an owner above, private', { ...secret, owner: '../flows' }],
    ['an owner that is a folder', { ...place, owner: '.' }],
    ['an owner in a folder', { ...place, owner: `${owner}/private` }],
    ['no owner', { ...place, owner: '' }],
    ['a mark', { ...place, owner: 'erased' }],
    ['a name above', { ...place, name: '../a.png' }],
    ['a name in a folder', { ...place, name: 'private/a.png' }],
    ['a part', { ...place, name: 'a.png.x.part' }],
    ['a folder', { ...place, name: '..' }],
    ['no name', { ...place, name: '' }],
  ])('keeps nothing in a place that the service did not make: %s', async (_, elsewhere) => {
    const { files, keys } = await open()
    await expect(files.save(elsewhere, bytes('x'), 100)).rejects.toThrow('no place of an upload')
    expect(() => files.open(elsewhere)).toThrow('no place of an upload')
    expect(await keys()).toEqual([])
  })

  it('outlives the process', async () => {
    const { files, again } = await open()
    await files.save(place, bytes('x'), 100)
    await files.close()
    expect(await textOf(await (await again()).open(place))).toBe('x')
  })

  it('can be kept, as far as can be told', async () => {
    expect(await (await open()).files.isWritable()).toBe(true)
  })
}

function refusing(open: OpenUploads): void {
  it('leaves a file that is there as it is', async () => {
    const { files, keys } = await open()
    await files.save(place, bytes('first'), 100)
    expect(await files.save(place, bytes('second'), 100)).toBe('exists')
    expect(await textOf(await files.open(place))).toBe('first')
    expect(await keys()).toEqual([`${owner}/a.png`])
  })

  it('keeps the first that is whole of two at once', async () => {
    const { files, keys } = await open({ totalBytes: 2 * 4096 + 100 })
    const slow = halting()
    const first = files.save(place, slow.content, 100)
    await slow.arrived
    expect(await files.save(place, bytes('second'), 100)).toBe('saved')
    slow.goOn()
    expect(await first).toBe('exists')
    expect(await textOf(await files.open(place))).toBe('second')
    expect(await keys()).toEqual([`${owner}/a.png`])
    expect(await roomForOthers(files, 94)).toBe(true)
    expect(await roomForOthers(files, 95)).toBe(false)
  })

  it('keeps one of many at once', async () => {
    const { files, keys } = await open()
    const texts = Array.from({ length: 10 }, (_, number) => `file ${number}`)
    const outcomes = await Promise.all(texts.map((text) => files.save(place, bytes(text), 100)))
    expect(outcomes.filter((outcome) => outcome === 'saved')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'exists')).toHaveLength(9)
    expect(await textOf(await files.open(place))).toBe(texts[outcomes.indexOf('saved')])
    expect(await keys()).toEqual([`${owner}/a.png`])
  })

  it('takes a file that is as large as allowed, and no larger', async () => {
    const { files, keys } = await open()
    expect(await files.save(place, bytes('1234', '56'), 5)).toBe('too large')
    expect(await keys()).toEqual([])
    expect(await files.save(place, bytes('1234', '5'), 5)).toBe('saved')
  })

  it('reads no further than it must', async () => {
    const { files } = await open()
    let produced = 0
    async function* endless() {
      for (;;) {
        produced += 1
        yield Buffer.alloc(1000)
      }
    }
    expect(await files.save(place, endless(), 5000)).toBe('too large')
    expect(produced).toBe(6)
  })

  it('leaves nothing of what is cut off, which can be tried again', async () => {
    const { files, keys } = await open()
    await expect(files.save(place, broken(), 100)).rejects.toThrow('hung up')
    expect(await keys()).toEqual([])
    expect(await files.save(place, bytes('whole'), 100)).toBe('saved')
  })

  it('waits at its end for what is cut off, which leaves nothing', async () => {
    const { files, keys } = await open()
    const slow = halting()
    const refused = expect(files.save(place, slow.content, 100)).rejects.toThrow('hung up')
    await slow.arrived
    const closed = files.close()
    slow.breakOff(new Error('hung up'))
    await closed
    expect(await keys()).toEqual([])
    await refused
  })
}

function counting(open: OpenUploads): void {
  const upload = (number: number, isPrivate = false) => ({ owner, name: `${number}.png`, isPrivate })
  const full = 'x'.repeat(10_000)

  it('bounds all together, and what fails gives its room back', async () => {
    const { files, keys } = await open({ totalBytes: 3 * 4096 })
    expect(await roomForOthers(files, 8192)).toBe(true)
    expect(await roomForOthers(files, 8193)).toBe(false)
    expect(await files.roomFor(owner, 8193)).toBe('full')
    expect(await files.save(place, bytes('x'.repeat(8000), 'x'.repeat(200)), 10_000)).toBe('full')
    await expect(files.save(place, broken(), 100)).rejects.toThrow()
    await files.save(place, bytes('123'), 2)
    expect(await roomForOthers(files, 8192)).toBe(true)
    expect(await keys()).toEqual([])
    expect(await files.save(place, bytes('x'.repeat(8192)), 10_000)).toBe('saved')
    expect(await roomForOthers(files, 0)).toBe(false)
  })

  it('counts empty files too', async () => {
    const { files } = await open({ totalBytes: 3 * 4096 })
    const outcomes = []
    for (let number = 0; number < 4; number++)
      outcomes.push(await files.save({ ...place, name: `${number}.png` }, bytes(), 10))
    expect(outcomes).toEqual(['saved', 'saved', 'saved', 'full'])
  })

  it('takes 20 files of one owner, public and private, however small', async () => {
    const { files } = await open()
    for (let number = 0; number < 20; number++) {
      expect(await files.roomFor(owner, 1)).toBe('enough')
      expect(await files.save(upload(number, number % 2 === 0), bytes('x'), 100)).toBe('saved')
    }
    expect(await files.roomFor(owner, 1)).toBe('owner full')
    expect(await files.save(upload(20), bytes('x'), 100)).toBe('owner full')
    expect(await files.save(other, bytes('x'), 100)).toBe('saved')
  })

  it('takes the bytes of five large files of one owner', async () => {
    const { files } = await open({ fileBytes: 10_000 })
    for (let number = 0; number < 4; number++) await files.save(upload(number), bytes(full), 10_000)
    expect(await files.save(upload(4), bytes(full.slice(1)), 10_000)).toBe('saved')
    expect(await files.roomFor(owner, 1)).toBe('enough')
    expect(await files.roomFor(owner, 2)).toBe('owner full')
    expect(await files.save(upload(5), bytes('12'), 100)).toBe('owner full')
    expect(await files.save(upload(5), bytes('1'), 100)).toBe('saved')
  })

  it('counts anew what the next process finds, and gives it back by erasure', async () => {
    const { files, again } = await open({ fileBytes: 10_000 })
    for (let number = 0; number < 5; number++) await files.save(upload(number), bytes(full), 10_000)
    const later = await again({ fileBytes: 10_000 })
    expect(await later.roomFor(owner, 1)).toBe('owner full')
    await later.removeOwned([owner])
    expect(await later.roomFor(owner, 50_000)).toBe('enough')
  })
}

function erasing(open: OpenUploads): void {
  it('erases all files of an owner and nobody else', async () => {
    const { files, keys } = await open()
    for (const saved of [place, secret, other]) await files.save(saved, bytes('x'), 100)
    await files.removeOwned([owner])
    expect(await files.open(place)).toBeUndefined()
    expect(await files.open(secret)).toBeUndefined()
    expect(await textOf(await files.open(other))).toBe('x')
    expect(await keys()).toEqual([`${other.owner}/a.png`])
  })

  it('erases the files of many owners, of whom most have none, and keeps none for any of them', async () => {
    const { files, keys } = await open()
    const many = Array.from({ length: 60 }, (_, number) => number.toString(16).padStart(32, '0'))
    const late = { ...place, owner: many[59] as string }
    for (const saved of [late, secret, other]) await files.save(saved, bytes('x'), 100)
    await files.removeOwned([owner, ...many])
    expect(await keys()).toEqual([`${other.owner}/a.png`])
    for (const saved of [late, place]) expect(await files.save(saved, bytes('x'), 100)).toBe('erased')
    expect(await files.save({ ...other, name: 'b.png' }, bytes('x'), 100)).toBe('saved')
  })

  it('finds nothing wrong where there is nothing to erase', async () => {
    const { files } = await open()
    await expect(files.removeOwned([owner])).resolves.toBeUndefined()
  })

  it('takes a file that is being uploaded', async () => {
    const { files, keys } = await open({ totalBytes: 8192 })
    const slow = halting()
    const saving = files.save(place, slow.content, 100)
    await slow.arrived
    await files.removeOwned([owner])
    slow.goOn()
    expect(await saving).toBe('erased')
    expect(await files.open(place)).toBeUndefined()
    expect(await keys()).toEqual([])
    expect(await roomForOthers(files, 4096)).toBe(true)
  })

  it('keeps what comes late out, in another process and in the next one too, and does not read it', async () => {
    const { files, keys, again } = await open()
    const beside = await again()
    await files.removeOwned([owner])
    await files.close()
    let isRead = false
    async function* content() {
      isRead = true
      yield Buffer.from('x')
    }
    for (const process of [files, beside, await again()])
      expect(await process.save(place, content(), 100)).toBe('erased')
    expect(isRead).toBe(false)
    expect(await keys()).toEqual([])
  })

  it('leaves nothing of files that come while their owner is erased', async () => {
    const { files, keys } = await open()
    for (let round = 0; round < 10; round++) {
      const own = round.toString(16).padStart(32, '0')
      const saving = [0, 1, 2].map((number) =>
        files.save({ owner: own, name: `${number}.png`, isPrivate: number === 0 }, bytes('x', 'y'), 100),
      )
      if (round % 2 === 0) await saving[round % 3]
      const [, ...outcomes] = await Promise.all([files.removeOwned([own]), ...saving])
      for (const outcome of outcomes) expect(['saved', 'erased']).toContain(outcome)
    }
    expect(await keys()).toEqual([])
    expect(await roomForOthers(files, 1_000_000 - 4096)).toBe(true)
  })
}
