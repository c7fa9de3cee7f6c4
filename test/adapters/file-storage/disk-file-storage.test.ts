import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createDiskFileStorage,
  type DiskFileStorageOptions,
} from '../../../src/adapters/file-storage/disk-file-storage.ts'
import type { OpenFile } from '../../../src/ports/uploaded-files-port.ts'

const owner = '0123456789abcdef0123456789abcdef'
const place = { owner, name: 'a.png', isPrivate: false }
const secret = { owner, name: 'a.png', isPrivate: true }
const others = ['a', 'b', 'c', 'd', 'e', 'f'].map((digit) => digit.repeat(32))
const hour = 60 * 60 * 1000

async function emptyFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'uploads-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  return join(parent, 'uploads')
}

async function openUploads(given: Partial<DiskFileStorageOptions> = {}) {
  const folder = given.folder ?? (await emptyFolder())
  const reports: unknown[] = []
  const report = (error: unknown) => void reports.push(error)
  const options = { totalBytes: 1_000_000, fileBytes: 1_000_000, ttlMs: undefined, report, ...given, folder }
  const files = await createDiskFileStorage(options)
  onTestFinished(() => files.close())
  const hasRoomFor = async (bytes: number) => (await files.roomFor(others[5] as string, bytes)) === 'enough'
  return { folder, files, reports, hasRoomFor }
}

async function* bytes(...chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

async function* broken() {
  yield Buffer.from('half')
  throw new Error('hung up')
}

async function textOf(file: OpenFile | undefined, part?: { start: number; end: number }) {
  if (!file) return undefined
  const chunks = await file.read(part).toArray()
  return Buffer.concat(chunks).toString()
}

/** Everything that lies in the folder, files only, but for marks of what was erased. */
async function contents(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('erased'))
    .map(({ name }) => name)
}

/** A content that waits half-way, until it is told to go on or to break off. */
function halting() {
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

/** Puts a file where an upload would, as old as told. */
async function leave(path: string, content: string, ageMs = 0): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, content)
  const then = (Date.now() - ageMs) / 1000
  await utimes(path, then, then)
}

describe('uploads on disk', () => {
  it('give back what was saved', async () => {
    const { files } = await openUploads()
    expect(await files.save(place, bytes('one ', 'two'), 100)).toBe('saved')
    const file = await files.open(place)
    expect(file?.size).toBe(7)
    expect(await textOf(file)).toBe('one two')
    expect(await textOf(await files.open(place), { start: 4, end: 5 })).toBe('tw')
  })

  it('keep an empty file', async () => {
    const { files } = await openUploads()
    expect(await files.save(place, bytes(), 100)).toBe('saved')
    expect(await textOf(await files.open(place))).toBe('')
  })

  it('keep private files apart from public ones of the same name', async () => {
    const { files } = await openUploads()
    await files.save(place, bytes('seen'), 100)
    await files.save(secret, bytes('unseen'), 100)
    expect(await textOf(await files.open(place))).toBe('seen')
    expect(await textOf(await files.open(secret))).toBe('unseen')
  })

  it('know nothing of a file that was not saved', async () => {
    const { files } = await openUploads()
    await files.save(secret, bytes('unseen'), 100)
    expect(await files.open(place)).toBeUndefined()
  })

  it('throw when the disk fails them', async () => {
    const { folder, files } = await openUploads()
    await writeFile(join(folder, owner), 'no folder')
    await expect(files.open(place)).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(files.save(place, bytes('x'), 100)).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it('take no room when the disk fails them', async () => {
    const { files, hasRoomFor } = await openUploads({ totalBytes: 8192 })
    // A name that is still too short for the disk to refuse, until it is written beside its place.
    const long = { ...place, name: `${'x'.repeat(240)}.png` }
    for (let attempt = 0; attempt < 20; attempt++)
      await expect(files.save(long, bytes('x'), 100)).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
    expect(await files.roomFor(owner, 4096)).toBe('enough')
    expect(await hasRoomFor(4096)).toBe(true)
  })

  it('are for nobody else on the machine to read', async () => {
    const { folder, files } = await openUploads()
    await files.save(place, bytes('x'), 100)
    await files.save(secret, bytes('x'), 100)
    await files.removeOwned([others[0] as string])
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    expect(entries).toHaveLength(6)
    for (const entry of [...entries.map((found) => join(found.parentPath, found.name)), folder]) {
      const found = await stat(entry)
      expect(found.mode & 0o777).toBe(found.isDirectory() ? 0o700 : 0o600)
    }
  })

  it('leave the rights of a folder that is there as they are', async () => {
    const folder = await emptyFolder()
    await mkdir(folder)
    await chmod(folder, 0o750)
    await openUploads({ folder })
    expect((await stat(folder)).mode & 0o777).toBe(0o750)
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
  ])('lie nowhere but in their places: %s', async (_, elsewhere) => {
    const { folder, files } = await openUploads()
    const beside = join(folder, '..', 'flows')
    await mkdir(beside)
    await expect(files.save(elsewhere, bytes('x'), 100)).rejects.toThrow('no place of an upload')
    expect(() => files.open(elsewhere)).toThrow('no place of an upload')
    expect(await readdir(beside)).toEqual([])
    expect(await contents(folder)).toEqual([])
  })

  it('can be closed unread', async () => {
    const { files } = await openUploads()
    await files.save(place, bytes('x'), 100)
    const file = await files.open(place)
    await file?.close()
    expect(() => file?.read()).toThrow()
  })

  it('can be written as long as their folder can', async () => {
    const { folder, files } = await openUploads()
    expect(await files.isWritable()).toBe(true)
    await rm(folder, { recursive: true })
    expect(await files.isWritable()).toBe(true)
    await rm(folder, { recursive: true })
    await writeFile(folder, 'no folder')
    expect(await files.isWritable()).toBe(false)
    expect(await files.save(place, bytes('x'), 100).catch(() => 'failed')).toBe('failed')
  })

  it.runIf(process.platform === 'linux').each([
    ['where none can be made', '/proc/uploads', 'ENOENT'],
    ['where it is a file', '/proc/version', 'ENOTDIR'],
  ])('are refused in words %s', async (_where, folder, code) => {
    await expect(openUploads({ folder })).rejects.toThrow(
      `UPLOADS_DIR cannot be used as a folder (${code}): ${folder}`,
    )
  })

  it('outlive the process', async () => {
    const { folder, files } = await openUploads()
    await files.save(place, bytes('x'), 100)
    await files.close()
    const { files: later } = await openUploads({ folder })
    expect(await textOf(await later.open(place))).toBe('x')
  })
})

describe('an upload that is refused', () => {
  it('leaves a file that is there as it is', async () => {
    const { folder, files } = await openUploads()
    await files.save(place, bytes('first'), 100)
    expect(await files.save(place, bytes('second'), 100)).toBe('exists')
    expect(await textOf(await files.open(place))).toBe('first')
    expect(await contents(folder)).toEqual(['a.png'])
  })

  it('is the one that is whole later of two at once', async () => {
    const { folder, files, hasRoomFor } = await openUploads({ totalBytes: 2 * 4096 + 100 })
    const slow = halting()
    const first = files.save(place, slow.content, 100)
    await slow.arrived
    expect(await files.save(place, bytes('second'), 100)).toBe('saved')
    slow.goOn()
    expect(await first).toBe('exists')
    expect(await textOf(await files.open(place))).toBe('second')
    expect(await contents(folder)).toEqual(['a.png'])
    expect(await hasRoomFor(94)).toBe(true)
    expect(await hasRoomFor(95)).toBe(false)
  })

  it('is one of many at once, but for one', async () => {
    const { folder, files } = await openUploads()
    const texts = Array.from({ length: 10 }, (_, number) => `file ${number}`)
    const outcomes = await Promise.all(texts.map((text) => files.save(place, bytes(text), 100)))
    expect(outcomes.filter((outcome) => outcome === 'saved')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'exists')).toHaveLength(9)
    expect(await textOf(await files.open(place))).toBe(texts[outcomes.indexOf('saved')])
    expect(await contents(folder)).toEqual(['a.png'])
  })

  it('may be as large as allowed and no larger', async () => {
    const { folder, files } = await openUploads()
    expect(await files.save(place, bytes('1234', '56'), 5)).toBe('too large')
    expect(await contents(folder)).toEqual([])
    expect(await files.save(place, bytes('1234', '5'), 5)).toBe('saved')
  })

  it('reads no further than it must', async () => {
    const { files } = await openUploads()
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

  it('leaves nothing when somebody takes it away half-way, and can be tried again', async () => {
    const { folder, files, hasRoomFor } = await openUploads({ totalBytes: 8192 })
    const slow = halting()
    const saving = files.save(place, slow.content, 100)
    await slow.arrived
    for (const name of await contents(folder)) await rm(join(folder, owner, name))
    slow.goOn()
    expect(await saving).toBe('erased')
    expect(await contents(folder)).toEqual([])
    expect(await hasRoomFor(4096)).toBe(true)
    expect(await files.save(place, bytes('whole'), 100)).toBe('saved')
  })

  it('leaves nothing when it is cut off, and can be tried again', async () => {
    const { folder, files } = await openUploads()
    await expect(files.save(place, broken(), 100)).rejects.toThrow('hung up')
    expect(await contents(folder)).toEqual([])
    expect(await files.save(place, bytes('whole'), 100)).toBe('saved')
  })
})

describe('the room for uploads', () => {
  const totalBytes = 3 * 4096

  it('is bounded for all together, and what fails gives its own back', async () => {
    const { folder, files, hasRoomFor } = await openUploads({ totalBytes })
    expect(await hasRoomFor(8192)).toBe(true)
    expect(await hasRoomFor(8193)).toBe(false)
    expect(await files.roomFor(owner, 8193)).toBe('full')
    expect(await files.save(place, bytes('x'.repeat(8000), 'x'.repeat(200)), 10_000)).toBe('full')
    await expect(files.save(place, broken(), 100)).rejects.toThrow()
    await files.save(place, bytes('123'), 2)
    expect(await hasRoomFor(8192)).toBe(true)
    expect(await contents(folder)).toEqual([])
    expect(await files.save(place, bytes('x'.repeat(8192)), 10_000)).toBe('saved')
    expect(await hasRoomFor(0)).toBe(false)
  })

  it('is taken by empty files too', async () => {
    const { files } = await openUploads({ totalBytes })
    const names = ['a.png', 'b.png', 'c.png', 'd.png']
    const outcomes = []
    for (const name of names) outcomes.push(await files.save({ ...place, name }, bytes(), 10))
    expect(outcomes).toEqual(['saved', 'saved', 'saved', 'full'])
  })

  it('counts what is there from before, but for parts', async () => {
    const folder = await emptyFolder()
    await leave(join(folder, owner, 'a.png'), 'x'.repeat(4096))
    await leave(join(folder, owner, 'private', 'b.png'), '')
    await leave(join(folder, owner, 'c.png.1.part'), 'x'.repeat(4096))
    const { files, hasRoomFor } = await openUploads({ folder, totalBytes: 4 * 4096 })
    expect(await hasRoomFor(0)).toBe(true)
    expect(await hasRoomFor(1)).toBe(false)
    await files.removeOwned([owner])
    expect(await hasRoomFor(3 * 4096)).toBe(true)
    expect(await hasRoomFor(3 * 4096 + 1)).toBe(false)
  })
})

describe('the room of one owner', () => {
  const upload = (number: number, isPrivate = false) => ({ owner, name: `${number}.png`, isPrivate })
  const full = 'x'.repeat(10_000)

  it('is 20 files, public and private, however small', async () => {
    const { files } = await openUploads()
    for (let number = 0; number < 20; number++) {
      expect(await files.roomFor(owner, 1)).toBe('enough')
      expect(await files.save(upload(number, number % 2 === 0), bytes('x'), 100)).toBe('saved')
    }
    expect(await files.roomFor(owner, 1)).toBe('owner full')
    expect(await files.save(upload(20), bytes('x'), 100)).toBe('owner full')
    expect(await files.save({ ...place, owner: others[0] as string }, bytes('x'), 100)).toBe('saved')
  })

  it('is the bytes of five large files', async () => {
    const { files } = await openUploads({ fileBytes: 10_000 })
    for (let number = 0; number < 4; number++) await files.save(upload(number), bytes(full), 10_000)
    expect(await files.save(upload(4), bytes(full.slice(1)), 10_000)).toBe('saved')
    expect(await files.roomFor(owner, 1)).toBe('enough')
    expect(await files.roomFor(owner, 2)).toBe('owner full')
    expect(await files.save(upload(5), bytes('12'), 100)).toBe('owner full')
    expect(await files.save(upload(5), bytes('1'), 100)).toBe('saved')
  })

  it('is taken by files that are on their way', async () => {
    const { files, hasRoomFor } = await openUploads()
    const slow = Array.from({ length: 20 }, halting)
    const saving = slow.map(({ content }, number) => files.save(upload(number), content, 100))
    await Promise.all(slow.map(({ arrived }) => arrived))
    expect(await files.roomFor(owner, 1)).toBe('owner full')
    expect(await files.save(upload(20), bytes('x'), 100)).toBe('owner full')
    for (const { breakOff } of slow) breakOff(new Error('hung up'))
    const outcomes = await Promise.allSettled(saving)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(await files.roomFor(owner, 1)).toBe('enough')
    expect(await hasRoomFor(1_000_000 - 4096)).toBe(true)
  })

  it('is counted anew by the next process, and given back by erasure', async () => {
    const { folder, files } = await openUploads({ fileBytes: 10_000 })
    for (let number = 0; number < 5; number++) await files.save(upload(number), bytes(full), 10_000)
    const { files: later } = await openUploads({ folder, fileBytes: 10_000 })
    expect(await later.roomFor(owner, 1)).toBe('owner full')
    await later.removeOwned([owner])
    expect(await later.roomFor(owner, 50_000)).toBe('enough')
  })
})

describe('what an owner has', () => {
  const upload = (number: number) => ({ owner, name: `${number}.png`, isPrivate: false })

  it('is looked at again when nobody uploads, as another process may have added to it', async () => {
    const { folder, files } = await openUploads()
    const { files: beside } = await openUploads({ folder })
    await files.save(upload(0), bytes('x'), 100)
    for (let number = 1; number < 20; number++) await beside.save(upload(number), bytes('x'), 100)
    expect(await files.roomFor(owner, 1)).toBe('owner full')
  })

  it('is less when old files go, even while somebody uploads', async () => {
    const { folder, files } = await openUploads({ ttlMs: 300 })
    for (let number = 1; number < 20; number++) await leave(join(folder, owner, `${number}.png`), 'x')
    const slow = halting()
    const saving = files.save(upload(0), slow.content, 100)
    await slow.arrived
    await vi.waitFor(async () => expect(await files.roomFor(owner, 1)).toBe('enough'), { timeout: 60_000 })
    slow.goOn()
    expect(await saving).toBe('saved')
  })
})

describe('erasure', () => {
  it('takes all files of an owner and nobody else', async () => {
    const { folder, files } = await openUploads()
    const other = { ...place, owner: others[0] as string }
    await files.save(place, bytes('x'), 100)
    await files.save(secret, bytes('x'), 100)
    await files.save(other, bytes('x'), 100)
    await files.removeOwned([owner])
    expect(await files.open(place)).toBeUndefined()
    expect(await files.open(secret)).toBeUndefined()
    expect(await textOf(await files.open(other))).toBe('x')
    expect((await readdir(folder)).sort()).toEqual([other.owner, 'erased'])
  })

  it('is no error when there are none', async () => {
    const { files } = await openUploads()
    await expect(files.removeOwned([owner])).resolves.toBeUndefined()
  })

  it('leaves alone what others put beside the files', async () => {
    const { folder, files } = await openUploads()
    await files.save(place, bytes('x'), 100)
    await leave(join(folder, owner, 'notes'), 'x')
    await files.removeOwned([owner])
    expect(await contents(folder)).toEqual(['notes'])
  })

  it('takes a file that is being uploaded', async () => {
    const { folder, files, hasRoomFor } = await openUploads({ totalBytes: 8192 })
    const slow = halting()
    const saving = files.save(place, slow.content, 100)
    await slow.arrived
    await files.removeOwned([owner])
    slow.goOn()
    expect(await saving).toBe('erased')
    expect(await files.open(place)).toBeUndefined()
    expect(await contents(folder)).toEqual([])
    expect(await hasRoomFor(4096)).toBe(true)
  })

  it('keeps what comes late out, in another process and in the next one too', async () => {
    const { folder, files } = await openUploads()
    const { files: beside } = await openUploads({ folder })
    await files.removeOwned([owner])
    await files.close()
    const { files: next } = await openUploads({ folder })
    for (const process of [files, beside, next]) {
      expect(await process.save(place, bytes('x'), 100)).toBe('erased')
    }
    expect(await contents(folder)).toEqual([])
  })

  it('does not even read what comes late', async () => {
    const { files } = await openUploads()
    await files.removeOwned([owner])
    let isRead = false
    async function* content() {
      isRead = true
      yield Buffer.from('x')
    }
    expect(await files.save(place, content(), 100)).toBe('erased')
    expect(isRead).toBe(false)
  })

  it('is remembered for as long as anything can come late, and no longer', async () => {
    const { folder, files } = await openUploads()
    for (const erased of [owner, others[0] as string]) await files.removeOwned([erased])
    const age = (minutes: number) => (Date.now() - minutes * 60_000) / 1000
    await utimes(join(folder, 'erased', owner), age(14), age(14))
    await utimes(join(folder, 'erased', others[0] as string), age(16), age(16))
    const { files: later } = await openUploads({ folder })
    expect(await readdir(join(folder, 'erased'))).toEqual([owner])
    expect(await later.save({ ...place, owner: others[0] as string }, bytes('x'), 100)).toBe('saved')
  })

  it('finds its way through files that come at the same time, and keeps count', async () => {
    const { folder, files, hasRoomFor } = await openUploads({ totalBytes: 100 * 4096 })
    for (let round = 0; round < 150; round++) {
      const own = round.toString(16).padStart(32, '0')
      const uploads = [0, 1, 2].map((number) =>
        files.save({ owner: own, name: `${number}.png`, isPrivate: number === 0 }, bytes('x', 'y'), 100),
      )
      if (round % 2 === 0) await uploads[round % 3]
      const [, ...outcomes] = await Promise.all([files.removeOwned([own]), ...uploads])
      for (const outcome of outcomes) expect(['saved', 'erased']).toContain(outcome)
    }
    expect(await contents(folder)).toEqual([])
    expect(await readdir(folder)).toEqual(['erased'])
    expect(await hasRoomFor(99 * 4096)).toBe(true)
    expect(await hasRoomFor(99 * 4096 + 1)).toBe(false)
  })
})

describe('the age of uploads', () => {
  it('is limited when that is asked for, from the start on', async () => {
    const folder = await emptyFolder()
    await leave(join(folder, owner, 'old.png'), 'x', 2 * hour)
    await leave(join(folder, owner, 'private', 'old.png'), 'x', 2 * hour)
    await leave(join(folder, owner, 'new.png'), 'x', hour / 2)
    await openUploads({ folder, ttlMs: hour })
    expect(await contents(folder)).toEqual(['new.png'])
  })

  it('is looked at again and again, and gives room back', async () => {
    const { folder, files, hasRoomFor } = await openUploads({ ttlMs: 20, totalBytes: 8192 })
    await files.save(place, bytes('x'.repeat(4096)), 5000)
    await vi.waitFor(async () => expect(await contents(folder)).toEqual([]), { timeout: 60_000 })
    await vi.waitFor(async () => expect(await hasRoomFor(4096)).toBe(true))
  })

  it('leaves no empty folders behind', async () => {
    const folder = await emptyFolder()
    await leave(join(folder, owner, 'private', 'old.png'), 'x', 2 * hour)
    await mkdir(join(folder, others[0] as string, 'private'), { recursive: true })
    await leave(join(folder, others[1] as string, 'new.png'), 'x')
    await openUploads({ folder, ttlMs: hour })
    expect(await readdir(folder)).toEqual([others[1]])
  })

  it('is a day for previews, if not less', async () => {
    const folder = await emptyFolder()
    const preview = `preview-${owner}`
    await leave(join(folder, preview, 'young.png'), 'x', 23 * hour)
    await leave(join(folder, preview, 'old.png'), 'x', 25 * hour)
    await leave(join(folder, owner, 'live.png'), 'x', 25 * hour)
    await openUploads({ folder })
    expect((await contents(folder)).sort()).toEqual(['live.png', 'young.png'])
    await openUploads({ folder, ttlMs: 24 * hour })
    expect(await contents(folder)).toEqual(['young.png'])
    await openUploads({ folder, ttlMs: hour })
    expect(await contents(folder)).toEqual([])
  })

  it('is reported when it cannot be looked at', async () => {
    const { folder, reports } = await openUploads({ ttlMs: 20 })
    await rm(folder, { recursive: true })
    await vi.waitFor(() => expect(reports[0]).toMatchObject({ code: 'ENOENT' }), { timeout: 60_000 })
  })

  it('is not limited otherwise, save for parts that nobody goes on with', async () => {
    const folder = await emptyFolder()
    await leave(join(folder, owner, 'old.png'), 'x', 9999 * hour)
    await leave(join(folder, owner, 'cut-off.png.1-a.part'), 'x', 2 * hour)
    await leave(join(folder, owner, 'private', 'cut-off.png.1-a.part'), 'x', 2 * hour)
    await leave(join(folder, owner, 'running.png.1-a.part'), 'x', hour / 2)
    await openUploads({ folder })
    expect((await contents(folder)).sort()).toEqual(['old.png', 'running.png.1-a.part'])
  })

  it('of parts is looked at again and again, limited or not', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { folder } = await openUploads()
    await leave(join(folder, owner, 'cut-off.png.1-a.part'), 'x', 2 * hour)
    vi.advanceTimersByTime(10 * 60 * 1000)
    vi.useRealTimers()
    await vi.waitFor(async () => expect(await contents(folder)).toEqual([]), { timeout: 60_000 })
  })

  it('is none of the business of other files in the folder', async () => {
    const folder = await emptyFolder()
    const strange = [
      'notes.txt',
      'sub/a.png',
      `${owner}/readme`,
      `${owner}/sub/a.png`,
      `${owner.slice(1)}/a.png`,
    ]
    for (const file of strange) await leave(join(folder, file), 'x', 2 * hour)
    await openUploads({ folder, ttlMs: hour })
    for (const file of strange) expect((await stat(join(folder, file))).size).toBe(1)
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('x')
  })
})

describe('closing', () => {
  it('waits for uploads that are cut off, so that they leave nothing', async () => {
    const { folder, files } = await openUploads()
    const slow = halting()
    const saving = files.save(place, slow.content, 100)
    await slow.arrived
    const closed = files.close()
    slow.breakOff(new Error('hung up'))
    await closed
    expect(await contents(folder)).toEqual([])
    await expect(saving).rejects.toThrow('hung up')
  })
})

describe('a file that takes its place', () => {
  it('is whole whenever it is found', async () => {
    const { files } = await openUploads()
    const text = 'x'.repeat(20_000)
    const found = new Set<number>()
    for (let round = 0; round < 20; round++) {
      const place = { owner: others[round % 5] as string, name: `${round}.png`, isPrivate: false }
      let isSaved = false
      const saving = files.save(place, bytes(text), 100_000).then((outcome) => {
        isSaved = true
        expect(outcome).toBe('saved')
      })
      while (!isSaved) {
        const file = await files.open(place)
        if (file) found.add(file.size)
        await file?.close()
      }
      await saving
    }
    expect([...found].filter((size) => size !== text.length)).toEqual([])
  })

  it('keeps the first of two that are whole, and no part of the other', async () => {
    const { files, folder } = await openUploads()
    const outcomes = await Promise.all([
      files.save(place, bytes('one'), 100),
      files.save(place, bytes('two'), 100),
    ])
    expect(outcomes.sort()).toEqual(['exists', 'saved'])
    expect(await contents(folder)).toEqual(['a.png'])
  })

  it('is kept when the process ended before its part was taken away, which goes in time', async () => {
    const { files, folder } = await openUploads()
    await files.save(place, bytes('whole'), 100)
    await files.close()
    const path = join(folder, owner, 'a.png')
    const part = `${path}.0b7a54f4-2f5c-4c8b-b4a2-64d2f5b2a001.part`
    await link(path, part)
    const long = new Date(Date.now() - 2 * hour)
    await utimes(part, long, long)
    const { files: next } = await openUploads({ folder })
    expect(await contents(folder)).toEqual(['a.png'])
    expect(await textOf(await next.open(place))).toBe('whole')
  })
})
