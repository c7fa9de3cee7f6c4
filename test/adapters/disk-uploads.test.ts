import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDiskUploads, type DiskUploadsOptions } from '../../src/adapters/disk-uploads.ts'
import type { OpenFile } from '../../src/ports.ts'

const owner = '0123456789abcdef0123456789abcdef'
const place = { owner, name: 'a.png', isPrivate: false }
const secret = { owner, name: 'a.png', isPrivate: true }

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'uploads-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function openUploads(given: Partial<DiskUploadsOptions> = {}) {
  const folder = given.folder ?? (await emptyFolder())
  const reports: unknown[] = []
  const report = (error: unknown) => void reports.push(error)
  const files = await createDiskUploads({ totalBytes: 1_000_000, ttlMs: undefined, report, ...given, folder })
  onTestFinished(() => files.close())
  return { folder, files, reports }
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

/** Everything that lies in the folder, files only. */
async function contents(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
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
    await expect(files.save(place, bytes('x'), 100)).rejects.toMatchObject({ code: 'EEXIST' })
  })

  it('can be closed unread', async () => {
    const { files } = await openUploads()
    await files.save(place, bytes('x'), 100)
    const file = await files.open(place)
    await file?.close()
    expect(() => file?.read()).toThrow()
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

  it('is the later one of two at once', async () => {
    const { folder, files } = await openUploads()
    const outcomes = await Promise.all([
      files.save(place, bytes('a', 'b', 'c'), 100),
      files.save(place, bytes('x', 'y', 'z'), 100),
    ])
    expect([...outcomes].sort()).toEqual(['exists', 'saved'])
    expect(await textOf(await files.open(place))).toBe(outcomes[0] === 'saved' ? 'abc' : 'xyz')
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
    const { folder, files } = await openUploads({ totalBytes })
    expect(files.hasRoomFor(8192)).toBe(true)
    expect(files.hasRoomFor(8193)).toBe(false)
    expect(await files.save(place, bytes('x'.repeat(8000), 'x'.repeat(200)), 10_000)).toBe('full')
    await expect(files.save(place, broken(), 100)).rejects.toThrow()
    await files.save(place, bytes('123'), 2)
    expect(files.hasRoomFor(8192)).toBe(true)
    expect(await contents(folder)).toEqual([])
    expect(await files.save(place, bytes('x'.repeat(8192)), 10_000)).toBe('saved')
    expect(files.hasRoomFor(0)).toBe(false)
  })

  it('is taken by empty files too', async () => {
    const { files } = await openUploads({ totalBytes })
    const names = ['a.png', 'b.png', 'c.png', 'd.png']
    const outcomes = []
    for (const name of names) outcomes.push(await files.save({ ...place, name }, bytes(), 10))
    expect(outcomes).toEqual(['saved', 'saved', 'saved', 'full'])
  })

  it('counts what is there from before', async () => {
    const folder = await emptyFolder()
    await leave(join(folder, owner, 'a.png'), 'x'.repeat(4096))
    await leave(join(folder, owner, 'private', 'b.png'), '')
    const { files } = await openUploads({ folder, totalBytes })
    expect(files.hasRoomFor(0)).toBe(false)
    await files.removeOwned(owner)
    expect(files.hasRoomFor(8192)).toBe(true)
    expect(files.hasRoomFor(8193)).toBe(false)
  })
})

describe('erasure', () => {
  it('takes all files of an owner and nobody else', async () => {
    const { folder, files } = await openUploads()
    const other = { ...place, owner: 'f'.repeat(32) }
    await files.save(place, bytes('x'), 100)
    await files.save(secret, bytes('x'), 100)
    await files.save(other, bytes('x'), 100)
    await files.removeOwned(owner)
    expect(await files.open(place)).toBeUndefined()
    expect(await files.open(secret)).toBeUndefined()
    expect(await textOf(await files.open(other))).toBe('x')
    expect(await readdir(folder)).toEqual([other.owner])
  })

  it('is no error when there are none', async () => {
    const { files } = await openUploads()
    await expect(files.removeOwned(owner)).resolves.toBeUndefined()
  })

  it('takes a file that is being uploaded', async () => {
    const { folder, files } = await openUploads({ totalBytes: 8192 })
    async function* interrupted() {
      yield Buffer.from('half')
      await files.removeOwned(owner)
      yield Buffer.from('whole')
    }
    expect(await files.save(place, interrupted(), 100)).toBe('saved')
    expect(await files.open(place)).toBeUndefined()
    expect(await contents(folder)).toEqual([])
    expect(files.hasRoomFor(4096)).toBe(true)
  })
})

describe('the age of uploads', () => {
  const hour = 60 * 60 * 1000

  it('is limited when that is told, from the start on', async () => {
    const folder = await emptyFolder()
    await leave(join(folder, owner, 'old.png'), 'x', 2 * hour)
    await leave(join(folder, owner, 'private', 'old.png'), 'x', 2 * hour)
    await leave(join(folder, owner, 'new.png'), 'x', hour / 2)
    await openUploads({ folder, ttlMs: hour })
    expect(await contents(folder)).toEqual(['new.png'])
  })

  it('is looked at again and again, and gives room back', async () => {
    const { folder, files } = await openUploads({ ttlMs: 20, totalBytes: 8192 })
    await files.save(place, bytes('x'.repeat(4096)), 5000)
    expect(files.hasRoomFor(0)).toBe(false)
    await vi.waitFor(async () => expect(await contents(folder)).toEqual([]), { timeout: 5000 })
    await vi.waitFor(() => expect(files.hasRoomFor(4096)).toBe(true))
  })

  it('is reported when it cannot be looked at', async () => {
    const { folder, reports } = await openUploads({ ttlMs: 20 })
    await rm(folder, { recursive: true })
    await vi.waitFor(() => expect(reports[0]).toMatchObject({ code: 'ENOENT' }), { timeout: 5000 })
  })

  it('is not limited otherwise, save for parts that nobody goes on with', async () => {
    const folder = await emptyFolder()
    await leave(join(folder, owner, 'old.png'), 'x', 9999 * hour)
    await leave(join(folder, owner, 'cut-off.png.part'), 'x', 2 * hour)
    await leave(join(folder, owner, 'running.png.part'), 'x', hour / 2)
    await openUploads({ folder })
    expect((await contents(folder)).sort()).toEqual(['old.png', 'running.png.part'])
  })

  it('is none of the business of other files in the folder', async () => {
    const folder = await emptyFolder()
    const others = [
      'notes.txt',
      'sub/a.png',
      `${owner}/readme`,
      `${owner}/sub/a.png`,
      `${owner.slice(1)}/a.png`,
    ]
    for (const other of others) await leave(join(folder, other), 'x', 2 * hour)
    await openUploads({ folder, ttlMs: hour })
    for (const other of others) expect((await stat(join(folder, other))).size).toBe(1)
    expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('x')
  })
})
