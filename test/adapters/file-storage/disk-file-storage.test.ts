import { chmod, link, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createDiskFileStorage,
  type DiskFileStorageOptions,
} from '../../../src/adapters/file-storage/disk-file-storage.ts'
import {
  bytes,
  describeUploadedFiles,
  halting,
  others,
  owner,
  place,
  textOf,
} from './uploaded-files-contract.ts'

const secret = { owner, name: 'a.png', isPrivate: true }
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

/** Everything that lies in the folder, files only, but for marks of what was erased. */
async function contents(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('erased'))
    .map(({ name }) => name)
}

/** Puts a file where an upload would, as old as told. */
async function leave(path: string, content: string, ageMs = 0): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, content)
  const then = (Date.now() - ageMs) / 1000
  await utimes(path, then, then)
}

describeUploadedFiles('on disk', async (bounds) => {
  const { folder, files } = await openUploads(bounds)
  const keys = async () => {
    const found = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return paths.map((path) => relative(folder, path)).filter((path) => !path.startsWith('erased'))
  }
  return { files, keys, again: async (again) => (await openUploads({ ...again, folder })).files }
})

describe('uploads on disk', () => {
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
})

describe('an upload that is refused', () => {
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
})

describe('the room for uploads', () => {
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
  it('leaves alone what others put beside the files', async () => {
    const { folder, files } = await openUploads()
    await files.save(place, bytes('x'), 100)
    await leave(join(folder, owner, 'notes'), 'x')
    await files.removeOwned([owner])
    expect(await contents(folder)).toEqual(['notes'])
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
