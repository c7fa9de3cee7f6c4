import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { contentHash } from '../../../src/definition/content-hash.ts'
import type { PublishedFlows } from '../../../src/stores/published-flows.ts'
import { changing, publishing } from '../../stores/contracts/flow-table.ts'
import { describePublishedFlows } from '../contracts/published-flows.ts'
import { openDefinitions, openFlows, openTable } from '../open-flows.ts'
import { publishText } from '../publish-text.ts'

/** Nothing happens by itself: the tests rescan. */
const byHand = { debounceMs: 3_600_000, retryMs: 1, rescanMs: 3_600_000, missingMs: 3_600_000 }

interface Entry {
  readonly level: string
  readonly message: string
  readonly [detail: string]: unknown
}

function makeFolder(files: Record<string, unknown> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'flows-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, definition] of Object.entries(files)) writeDefinition(join(folder, name), definition)
  return folder
}

function writeDefinition(path: string, definition: unknown): void {
  writeFileSync(path, typeof definition === 'string' ? definition : JSON.stringify(definition))
}

type Flows = Awaited<ReturnType<typeof openFlows>>

async function open(folder: string, changed: Partial<Parameters<typeof openFlows>[0]> = {}) {
  const entries: Entry[] = []
  const note = (level: string) => (details: object, message: string) =>
    entries.push({ level, message, ...details })
  const definitions = openDefinitions()
  const report = { info: note('info'), warn: note('warn'), error: note('error') }
  const flows = await openFlows({ folder, definitions, report, timing: byHand, ...changed })
  onTestFinished(() => flows.close())
  /** What has been told since the last call. */
  const told = () => entries.splice(0)
  return { flows, definitions, told, path: (name: string) => join(folder, name) }
}

/** What others wait for until a test lets them pass. */
function makeGate<T>() {
  let pass: (value: T) => void = () => undefined
  const passed = new Promise<T>((resolve) => {
    pass = resolve
  })
  return { passed, pass }
}

const idsOf = async (flows: PublishedFlows) => (await flows.list()).map(({ publicId }) => publicId)
const nameOf = async (flows: PublishedFlows, publicId: string) =>
  (await flows.byPublicId(publicId))?.flow.name
const problems = (told: readonly Entry[]) => told.filter(({ level }) => level !== 'info')

describePublishedFlows('published flows of a folder', async (sources) => {
  const files = sources.map(({ name, definition }) => [`${name}.json`, definition])
  return (await open(makeFolder(Object.fromEntries(files)))).flows
})

describe('files of the folder', () => {
  it('publishes under the name of the file when the definition names no public id', async () => {
    const { flows } = await open(
      makeFolder({ 'lead form.v2.json': { id: 'flow-1' }, 'b.json': { id: 'flow-2', publicId: '' } }),
    )
    expect(await idsOf(flows)).toEqual(['b', 'lead form.v2'])
  })

  it('leaves other files, hidden ones and sub-folders alone', async () => {
    const folder = makeFolder({ 'a.json': { id: 'flow-1' }, 'notes.txt': '{', '.b.json': '{', '.json': '{' })
    mkdirSync(join(folder, 'old.json'))
    mkdirSync(join(folder, 'drafts'))
    writeDefinition(join(folder, 'drafts', 'c.json'), { id: 'flow-3' })
    const { flows, told } = await open(folder)
    expect(await idsOf(flows)).toEqual(['a'])
    expect(problems(told())).toEqual([])
  })

  it('reads through a byte order mark', async () => {
    const { flows } = await open(makeFolder({ 'a.json': '\uFEFF{"id":"flow-1"}' }))
    expect(await idsOf(flows)).toEqual(['a'])
  })

  it('dates a flow by its definition, else by the time of its file', async () => {
    const folder = makeFolder({
      'a.json': { id: 'flow-1', updatedAt: '2026-11-20T08:00:00Z' },
      'b.json': { id: 'flow-2' },
      'c.json': { id: 'flow-3', updatedAt: 'no date 1' },
    })
    const fileTime = new Date('2026-01-02T03:04:05.678Z')
    for (const name of ['a', 'b', 'c']) utimesSync(join(folder, `${name}.json`), fileTime, fileTime)
    const { flows } = await open(folder)
    const moments = (await flows.list()).map(({ publishedAt }) => publishedAt)
    expect(moments).toEqual([
      '2026-11-20T08:00:00.000Z',
      '2026-01-02T03:04:05.678Z',
      '2026-01-02T03:04:05.678Z',
    ])
  })

  it('reports each flow that it publishes, and what its author should know', async () => {
    const finding = { code: 'dangling-edge', severity: 'warning', pointer: '/edges/0', hint: 'Connect it.' }
    const inBlock = { ...finding, severity: 'error', code: 'invalid-code', blockId: 'b1' }
    const { told } = await open(
      makeFolder({ 'a.json': { id: 'flow-1', updatedAt: '2026-11-20', findings: [finding, inBlock] } }),
    )
    expect(told()).toEqual([
      {
        level: 'info',
        message: 'flow published',
        file: 'a.json',
        publicId: 'a',
        flowId: 'flow-1',
        hash: expect.stringMatching(/^[\w-]{43}$/),
        publishedAt: '2026-11-20T00:00:00.000Z',
        isClosed: false,
        isArchived: false,
      },
      {
        level: 'warn',
        message: 'flow has a flaw',
        file: 'a.json',
        code: 'dangling-edge',
        pointer: '/edges/0',
        hint: 'Connect it.',
      },
      {
        level: 'error',
        message: 'flow has a flaw',
        file: 'a.json',
        code: 'invalid-code',
        pointer: '/edges/0',
        hint: 'Connect it.',
        blockId: 'b1',
      },
    ])
  })

  it('reports once which of two files with one public id is published, and hands over when it goes', async () => {
    const folder = makeFolder({
      'a.json': { id: 'flow-1', publicId: 'one' },
      'b.json': { id: 'flow-2', publicId: 'one' },
    })
    const { flows, told, path } = await open(folder)
    const shadow = { file: 'b.json', publicId: 'one', publishedFrom: 'a.json' }
    expect(problems(told())).toEqual([expect.objectContaining({ level: 'warn', ...shadow })])
    await flows.rescan()
    expect(told()).toEqual([])
    rmSync(path('a.json'))
    await flows.rescan()
    expect((await flows.byPublicId('one'))?.flow.id).toBe('flow-2')
    expect(problems(told())).toEqual([])
    writeDefinition(path('a.json'), { id: 'flow-1', publicId: 'one' })
    await flows.rescan()
    expect((await flows.byPublicId('one'))?.flow.id).toBe('flow-1')
    expect(problems(told())).toEqual([expect.objectContaining(shadow)])
  })
})

describe('changes of the folder', () => {
  it('publishes what is added, changed and renamed, and withdraws what is removed', async () => {
    const { flows, told, path } = await open(makeFolder({ 'a.json': { id: 'flow-1', name: 'old' } }))
    told()
    writeDefinition(path('b.json'), { id: 'flow-2' })
    await flows.rescan()
    expect(await idsOf(flows)).toEqual(['a', 'b'])
    writeDefinition(path('a.json'), { id: 'flow-1', name: 'new' })
    await flows.rescan()
    expect(await nameOf(flows, 'a')).toBe('new')
    renameSync(path('a.json'), path('c.json'))
    await flows.rescan()
    expect(await idsOf(flows)).toEqual(['b', 'c'])
    rmSync(path('b.json'))
    await flows.rescan()
    expect(await idsOf(flows)).toEqual(['c'])
    expect(told().map(({ file, message }) => [file, message])).toEqual([
      ['b.json', 'flow published'],
      ['a.json', 'flow published'],
      ['a.json', 'flow withdrawn: its file has gone'],
      ['c.json', 'flow published'],
      ['b.json', 'flow withdrawn: its file has gone'],
    ])
  })

  it('notices a change that leaves time and size as they were', async () => {
    const { flows, path } = await open(makeFolder({ 'a.json': { id: 'flow-1', name: 'old' } }))
    const longAgo = new Date('2026-01-01T00:00:00Z')
    utimesSync(path('a.json'), longAgo, longAgo)
    await flows.rescan()
    writeDefinition(path('a.json'), { id: 'flow-1', name: 'new' })
    utimesSync(path('a.json'), longAgo, longAgo)
    await flows.rescan()
    expect(await nameOf(flows, 'a')).toBe('new')
  })

  it('notices changes that come faster than the clock of the file system', async () => {
    const { flows, path } = await open(makeFolder())
    for (let round = 100; round < 140; round++) {
      writeDefinition(path('a.json'), { id: 'flow-1', name: String(round) })
      await flows.rescan()
      expect(await nameOf(flows, 'a')).toBe(String(round))
    }
  })

  it('publishes nothing anew when a file is touched, or written again as it was', async () => {
    const { flows, told, path } = await open(makeFolder({ 'a.json': { id: 'flow-1' } }))
    const before = await flows.byPublicId('a')
    told()
    utimesSync(path('a.json'), new Date(), new Date('2026-01-01T00:00:00Z'))
    await flows.rescan()
    writeDefinition(path('a.json'), { id: 'flow-1' })
    await flows.rescan()
    expect(await flows.byPublicId('a')).toBe(before)
    expect(told()).toEqual([])
  })

  it('reads a file that was left alone only once', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    onTestFinished(() => void vi.useRealTimers())
    const folder = makeFolder({ 'a.json': { id: 'flow-1' }, 'b.json': '{' })
    const published: string[] = []
    const publish = (text: string) => {
      published.push(text)
      return publishText(text)
    }
    const { flows } = await open(folder, { publish })
    await flows.rescan()
    await flows.rescan()
    expect(published).toEqual(['{"id":"flow-1"}', '{'])
  })

  it('notices a set of files that is swapped behind links', async () => {
    const folder = makeFolder()
    const path = (name: string) => join(folder, name)
    const version = (name: string, files: Record<string, unknown>) => {
      mkdirSync(path(name))
      for (const [file, definition] of Object.entries(files))
        writeDefinition(join(path(name), file), definition)
      symlinkSync(name, path('..next'))
      renameSync(path('..next'), path('..data'))
    }
    version('..2026_01', { 'a.json': { id: 'flow-1', name: 'old' }, 'b.json': { id: 'flow-2' } })
    for (const name of ['a.json', 'b.json']) symlinkSync(join('..data', name), path(name))
    const { flows } = await open(folder)
    expect(await nameOf(flows, 'a')).toBe('old')
    version('..2026_02', { 'a.json': { id: 'flow-1', name: 'new' }, 'b.json': { id: 'flow-2' } })
    await flows.rescan()
    expect(await nameOf(flows, 'a')).toBe('new')
    expect(await idsOf(flows)).toEqual(['a', 'b'])
  })

  it('shares a rescan among the calls that come before it begins', async () => {
    const { flows, path } = await open(makeFolder())
    writeDefinition(path('a.json'), { id: 'flow-1' })
    await Promise.all([flows.rescan(), flows.rescan()])
    expect(await idsOf(flows)).toEqual(['a'])
  })
})

describe('broken files', () => {
  it.each([
    ['half a file', '{"id":"flo', { pointer: '', message: expect.stringMatching(/JSON/) }],
    ['an empty file', '', { pointer: '', message: expect.stringMatching(/JSON/) }],
    ['no flow', { id: 7 }, { pointer: '/id', message: 'must be string' }],
  ])('keep the last good version, and are told of once: %s', async (_, broken, problem) => {
    const { flows, told, path } = await open(
      makeFolder({ 'a.json': { id: 'flow-1' }, 'b.json': { id: 'flow-2' } }),
    )
    told()
    writeDefinition(path('a.json'), broken)
    await flows.rescan()
    await flows.rescan()
    expect(await idsOf(flows)).toEqual(['a', 'b'])
    expect(told()).toEqual([
      {
        level: 'error',
        message: 'flow file is broken: its last good version stays published',
        file: 'a.json',
        problems: [problem],
      },
    ])
  })

  it('are not published when they never were whole, and do not keep others back', async () => {
    const { flows, told } = await open(makeFolder({ 'a.json': '{', 'b.json': { id: 'flow-2' } }))
    expect(await idsOf(flows)).toEqual(['b'])
    const message = 'flow file is broken: it is not published'
    expect(problems(told())).toEqual([expect.objectContaining({ file: 'a.json', message })])
  })

  it('are reported again when they are broken in another way, or broken anew', async () => {
    const { flows, told, path } = await open(makeFolder({ 'a.json': { id: 'flow-1' } }))
    const contents = ['{', '{"id":', { id: 'flow-1' }, '{', '{']
    const times: number[] = []
    told()
    for (const content of contents) {
      writeDefinition(path('a.json'), content)
      await flows.rescan()
      times.push(told().length)
    }
    expect(times).toEqual([1, 1, 0, 1, 0])
  })

  it('are published as soon as they are whole', async () => {
    const { flows, path } = await open(makeFolder({ 'a.json': '{"id":"flow-1"' }))
    appendFileSync(path('a.json'), '}')
    await flows.rescan()
    expect(await idsOf(flows)).toEqual(['a'])
  })

  it('are forgotten with their file', async () => {
    const { flows, told, path } = await open(makeFolder({ 'a.json': '{' }))
    told()
    rmSync(path('a.json'))
    await flows.rescan()
    expect(told()).toEqual([])
    writeDefinition(path('a.json'), '{')
    await flows.rescan()
    expect(problems(told())).toHaveLength(1)
  })

  it('get the time to become whole before they are reported', async () => {
    const folder = makeFolder({ 'a.json': { id: 'flow-1', name: 'old' } })
    const path = join(folder, 'a.json')
    const rest = ['"id":"flow-1"', ',"name":"new"', '}']
    let looks = 0
    const publish = (text: string) => {
      looks += 1
      if (looks > 1 && rest.length > 0) appendFileSync(path, rest.shift() ?? '')
      return publishText(text)
    }
    const { flows, told } = await open(folder, { publish })
    writeFileSync(path, '{')
    await flows.rescan()
    expect(await nameOf(flows, 'a')).toBe('new')
    expect(problems(told())).toEqual([])
  })

  it('are reported in the end though they go on changing', async () => {
    const folder = makeFolder({ 'a.json': '{' })
    const publish = (text: string) => {
      appendFileSync(join(folder, 'a.json'), ' ')
      return publishText(text)
    }
    const { told } = await open(folder, { publish })
    expect(problems(told())).toHaveLength(1)
  })

  it.each([
    [
      'larger than 32 MiB',
      (path: string) => truncateSync(path, 32 * 1024 * 1024 + 1),
      /at most 32 MiB.*33554433/,
    ],
    ['not UTF-8', (path: string) => writeFileSync(path, Buffer.from([0x7b, 0xff])), /not valid/],
    [
      'a link that leads nowhere',
      (path: string) => {
        rmSync(path)
        symlinkSync('nowhere', path)
      },
      /ENOENT/,
    ],
  ])('include one that is %s', async (_, spoil, message) => {
    const { flows, told, path } = await open(makeFolder({ 'a.json': { id: 'flow-1' } }))
    told()
    spoil(path('a.json'))
    await flows.rescan()
    await flows.rescan()
    expect(await idsOf(flows)).toEqual(['a'])
    const problem = { pointer: '', message: expect.stringMatching(message) }
    expect(told()).toEqual([expect.objectContaining({ level: 'error', file: 'a.json', problems: [problem] })])
  })

  it('may throw whatever they like', async () => {
    const publish = () => {
      throw 'a text'
    }
    const { told } = await open(makeFolder({ 'a.json': {} }), { publish })
    expect(told()).toEqual([expect.objectContaining({ problems: [{ pointer: '', message: 'a text' }] })])
  })
})

describe('definitions of published flows', () => {
  const text = (name: string) => JSON.stringify({ id: 'flow-1', name })

  it('are kept under the hash of their program for as long as they are published', async () => {
    const tiny = openDefinitions(1)
    const { flows, path } = await open(makeFolder({ 'a.json': text('old') }), { definitions: tiny })
    const old = (await flows.byPublicId('a'))?.program.hash ?? ''
    expect(await tiny.get(old)).toBe(text('old'))
    writeDefinition(path('a.json'), text('new'))
    await flows.rescan()
    expect(await tiny.get(old)).toBeUndefined()
    expect(await tiny.get(contentHash(text('new')))).toBe(text('new'))
    rmSync(path('a.json'))
    await flows.rescan()
    expect(await tiny.get(contentHash(text('new')))).toBeUndefined()
  })

  it('outlive their publication for the sessions that are pinned to them', async () => {
    const { flows, definitions, path } = await open(makeFolder({ 'a.json': text('old') }))
    writeDefinition(path('a.json'), text('new'))
    await flows.rescan()
    expect(await definitions.get(contentHash(text('old')))).toBe(text('old'))
  })

  it('stay when one of two files that say the same goes', async () => {
    const tiny = openDefinitions(1)
    const folder = makeFolder({ 'a.json': text('same'), 'b.json': text('same') })
    const { flows, path } = await open(folder, { definitions: tiny })
    rmSync(path('a.json'))
    await flows.rescan()
    expect(await tiny.get(contentHash(text('same')))).toBe(text('same'))
  })

  it('are tried again when they can not be kept', async () => {
    const inner = openDefinitions(1)
    let isAway = true
    const retain: typeof inner.retain = async (definitions) => {
      if (isAway) throw new Error('store is away')
      await inner.retain(definitions)
    }
    const { flows, told } = await open(makeFolder({ 'a.json': text('one') }), {
      definitions: { ...inner, retain },
    })
    expect(await idsOf(flows)).toEqual([])
    const problem = { pointer: '', message: 'store is away' }
    expect(told()).toEqual([expect.objectContaining({ file: 'a.json', problems: [problem] })])
    isAway = false
    await flows.rescan()
    expect(await idsOf(flows)).toEqual(['a'])
    // Released once, it goes: the failed attempts have left no hold on it.
    await inner.release([contentHash(text('one'))])
    expect(await inner.get(contentHash(text('one')))).toBeUndefined()
  })

  it('do not keep a flow from going when they can not be released', async () => {
    const inner = openDefinitions(1000)
    const release = () => Promise.reject(new Error('store is away'))
    const options = { definitions: { ...inner, release } }
    const { flows, told, path } = await open(makeFolder({ 'a.json': text('one') }), options)
    rmSync(path('a.json'))
    await flows.rescan()
    expect(await idsOf(flows)).toEqual([])
    expect(problems(told())).toEqual([
      expect.objectContaining({ level: 'warn', err: new Error('store is away') }),
    ])
  })
})

describe('the folder itself', () => {
  it.each([
    ['is missing', () => join(makeFolder(), 'missing')],
    ['is a file', () => join(makeFolder({ 'a.json': '{}' }), 'a.json')],
  ])('publishes nothing, and says so once, while it %s', async (_, folderOf) => {
    const folder = folderOf()
    const { flows, told } = await open(folder)
    await flows.rescan()
    expect(await flows.list()).toEqual([])
    const message = 'folder of the published flows does not exist: flows stay as they are until it does'
    expect(told()).toEqual([{ level: 'warn', folder, message }])
    expect(flows.problems()).toEqual(['The folder of the flows does not exist'])
  })

  it('may be missing where flows are published over HTTP', async () => {
    const table = openTable()
    await table.change(changing('shop', publishing('one', { text: '{"id":"flow-1"}' })))
    const { flows } = await open(join(makeFolder(), 'missing'), { table })
    expect(flows.problems()).toEqual([])
  })

  it('is picked up when it appears, and leaves its flows when it goes', async () => {
    const folder = join(makeFolder(), 'late')
    const { flows, told } = await open(folder)
    for (let times = 0; times < 2; times++) {
      mkdirSync(folder)
      writeDefinition(join(folder, 'a.json'), { id: 'flow-1' })
      await flows.rescan()
      expect(await idsOf(flows)).toEqual(['a'])
      expect(flows.problems()).toEqual([])
      rmSync(folder, { recursive: true })
      await flows.rescan()
      expect(await idsOf(flows)).toEqual(['a'])
      // What it held is served on.
      expect(flows.problems()).toEqual([])
    }
    expect(problems(told())).toHaveLength(3)
  })

  it('keeps the flows as they are while it leads in a circle', async () => {
    const parent = makeFolder()
    const folder = join(parent, 'flows')
    mkdirSync(join(parent, 'real'))
    writeDefinition(join(parent, 'real', 'a.json'), { id: 'flow-1' })
    symlinkSync('real', folder)
    const { flows, told } = await open(folder)
    told()
    rmSync(folder)
    symlinkSync('flows', folder)
    await flows.rescan()
    await flows.rescan()
    expect(await idsOf(flows)).toEqual(['a'])
    const message = 'folder of the published flows can not be read: flows stay as they are'
    expect(told()).toEqual([expect.objectContaining({ level: 'error', folder, message })])
    expect(flows.problems()).toEqual(['The folder of the flows can not be read'])
    rmSync(folder)
    symlinkSync('real', folder)
    await flows.rescan()
    expect(flows.problems()).toEqual([])
  })
})

describe('watching', () => {
  const quick = { debounceMs: 10, retryMs: 5, rescanMs: 3_600_000, missingMs: 10 }
  const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 10 })

  async function expectFollowed(flows: Flows, folder: string): Promise<void> {
    writeDefinition(join(folder, 'b.json'), { id: 'flow-2' })
    await eventually(async () => expect(await idsOf(flows)).toEqual(['a', 'b']))
    rmSync(join(folder, 'b.json'))
    await eventually(async () => expect(await idsOf(flows)).toEqual(['a']))
  }

  it('follows changes without being asked', async () => {
    const folder = makeFolder({ 'a.json': { id: 'flow-1' } })
    const { flows } = await open(folder, { timing: quick })
    await expectFollowed(flows, folder)
  })

  it('follows the folder that has taken the place of another', async () => {
    const folder = makeFolder({ 'a.json': { id: 'flow-1' } })
    const { flows } = await open(folder, { timing: quick })
    renameSync(folder, `${folder}-old`)
    onTestFinished(() => rmSync(`${folder}-old`, { recursive: true }))
    mkdirSync(folder)
    writeDefinition(join(folder, 'a.json'), { id: 'flow-1' })
    await flows.rescan()
    await expectFollowed(flows, folder)
  })

  it('looks now and then, for what makes no noise', async () => {
    const target = makeFolder({ 'real.json': { id: 'flow-1', name: 'old' } })
    const folder = makeFolder()
    symlinkSync(join(target, 'real.json'), join(folder, 'a.json'))
    const { flows } = await open(folder, { timing: { ...byHand, rescanMs: 20 } })
    writeDefinition(join(target, 'real.json'), { id: 'flow-1', name: 'new' })
    await eventually(async () => expect(await nameOf(flows, 'a')).toBe('new'))
  })

  it('publishes and reports nothing once it is closed', async () => {
    const folder = makeFolder({ 'a.json': { id: 'flow-1' } })
    const { flows, told, path } = await open(folder, { timing: { ...quick, rescanMs: 20 } })
    told()
    await flows.close()
    writeDefinition(path('b.json'), '{')
    await flows.rescan()
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(told()).toEqual([])
    expect(await idsOf(flows)).toEqual(['a'])
  })

  it('does not wait for a broken file to become whole when it is closed', async () => {
    const folder = makeFolder({ 'a.json': { id: 'flow-1' } })
    let looks = 0
    const publish = (text: string) => {
      looks += 1
      return publishText(text)
    }
    const timing = { ...byHand, retryMs: 3_600_000 }
    const { flows, told, path } = await open(folder, { publish, timing })
    told()
    writeDefinition(path('a.json'), '{')
    const rescan = flows.rescan()
    await eventually(async () => expect(looks).toBe(2))
    await flows.close()
    await rescan
    expect(told()).toEqual([])
  })
})

describe('the state of the files', () => {
  const hint = { severity: 'warning', code: 'missing-group', pointer: '/edges/0', hint: 'Mend it' }

  it('says of each what has become of it, and why', async () => {
    const folder = makeFolder({
      'a.json': { id: 'flow-a', publicId: 'shop', findings: [hint] },
      'b.json': { id: 'flow-b', publicId: 'shop' },
      'c.json': { publicId: 'no-id' },
      'd.json': { id: 'flow-d' },
    })
    const { flows } = await open(folder)
    writeDefinition(join(folder, 'd.json'), { groups: [] })
    await flows.rescan()
    const problems = [{ pointer: '/id', message: 'must be string' }]
    expect(flows.states()).toMatchObject([
      {
        file: 'a.json',
        state: 'published',
        publicId: 'shop',
        flowId: 'flow-a',
        problems: [],
        findings: [hint],
      },
      { file: 'b.json', state: 'shadowed', publicId: 'shop', flowId: 'flow-b', problems: [] },
      { file: 'c.json', state: 'broken', problems, findings: [] },
      { file: 'd.json', state: 'stale', publicId: 'd', flowId: 'flow-d', problems },
    ])
    expect(flows.problems()).toEqual([])
  })

  it('is whole again, or gone, as the file is', async () => {
    const folder = makeFolder({ 'a.json': '{', 'b.json': '{' })
    const { flows } = await open(folder)
    expect(flows.states()).toMatchObject([{ state: 'broken' }, { state: 'broken' }])
    writeDefinition(join(folder, 'a.json'), { id: 'flow-a' })
    rmSync(join(folder, 'b.json'))
    await flows.rescan()
    expect(flows.states()).toMatchObject([{ file: 'a.json', state: 'published', problems: [] }])
  })
})

describe('a folder with many flows', () => {
  it('is one line at the start, and one for each flow that changes', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `f${index}.json`)
    const folder = makeFolder(Object.fromEntries(names.map((name) => [name, { id: name }])))
    const { flows, told } = await open(folder)
    await flows.inspected()
    expect(told()).toHaveLength(1)
    expect((await flows.list()).length).toBe(60)
    writeDefinition(join(folder, 'f7.json'), { id: 'f7.json', name: 'another' })
    await flows.rescan()
    expect(told()).toMatchObject([{ file: 'f7.json', message: 'flow published' }])
  })

  it('is served before it is inspected, and kept in one go', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `f${index}.json`)
    const folder = makeFolder(Object.fromEntries(names.map((name) => [name, { id: name }])))
    const { passed: looked, pass: look } = makeGate<readonly []>()
    const store = openDefinitions()
    const kept: number[] = []
    const retain: typeof store.retain = async (definitions) => {
      kept.push(definitions.length)
      await store.retain(definitions)
    }
    const { flows, told } = await open(folder, { definitions: { ...store, retain }, inspect: () => looked })
    expect(kept).toEqual([60])
    expect((await flows.list()).length).toBe(60)
    expect(told()).toEqual([])
    look([])
    await flows.inspected()
    expect(told()).toMatchObject([{ files: 60, published: 60, flawed: 0 }])
  })

  it('ends looking at them when it is closed', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `f${index}.json`)
    const folder = makeFolder(Object.fromEntries(names.map((name) => [name, { id: name }])))
    const { passed: looked, pass: look } = makeGate<readonly []>()
    const { flows, told } = await open(folder, { inspect: () => looked })
    const closed = flows.close()
    look([])
    await closed
    expect(told()).toEqual([])
  })

  it('counts those with flaws at the start, and names them once they change', async () => {
    const flaw = { severity: 'warning', code: 'missing-group', pointer: '/edges/0', hint: 'Mend it' }
    const flawed = { findings: [flaw] }
    const contents = Array.from({ length: 60 }, (_, index) => [
      `f${index}.json`,
      { id: `f${index}`, ...(index % 20 === 0 && flawed) },
    ])
    const folder = makeFolder(Object.fromEntries(contents))
    const { flows, told } = await open(folder)
    await flows.inspected()
    expect(told()).toMatchObject([{ files: 60, published: 60, flawed: 3 }])
    expect(flows.states().filter(({ findings }) => findings.length > 0)).toHaveLength(3)
    writeDefinition(join(folder, 'f0.json'), { id: 'f0', name: 'another', ...flawed })
    await flows.rescan()
    expect(told()).toMatchObject([{ message: 'flow published' }, { message: 'flow has a flaw' }])
  })
})
