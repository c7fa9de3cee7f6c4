import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadBinding, usualBinding } from '../../../src/stores/sqlite/thread/binding.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import { installedTool } from '../../support/installed-tool.ts'
import { answering, enter, liveSession, smallSession } from '../contracts/conversation-store.ts'
import { openEmbedded, temporaryFolder, ttlMs } from './embedded-store.ts'

const idempotency = { key: 'k', fingerprint: 'f' }

async function open(changed: Parameters<typeof openEmbedded>[0] = {}) {
  const embedded = await openEmbedded(changed)
  onTestFinished(() => embedded.close())
  return { ...embedded, store: embedded.open() }
}

/** What the first version had. */
const firstTables = new Set([
  'schema_version',
  'sessions',
  'answers',
  'results',
  'result_lines',
  'marks',
  'definitions',
])

const bytesOf = (folder: string) =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

/** A session that runs a definition. */
const running = (id: string, program: string) =>
  liveSession(id, { queue: [{ program, flowId: 'flow-1', variables: [], answers: [] }] })

describe('the files of a folder', () => {
  it.skipIf(process.platform === 'win32')('are for their user alone, though the folder is not', async () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o755)
    for (const name of ['data.db', 'lock.db']) writeFileSync(join(folder, name), '', { mode: 0o644 })
    const { store } = await open({ folder })
    await store.start({ session: liveSession('s1'), results: [] })
    const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
    expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(['data.db', 'data.db-wal', 'lock.db']))
    expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([])
  })
})

describe('what is opened again', () => {
  it('has the conversations, their answers and their results', async () => {
    const folder = temporaryFolder()
    const first = await openEmbedded({ folder })
    const one = first.open()
    await one.start({ session: liveSession('s1'), results: [answering('r1', 'a')] })
    const { lease, conversation } = await enter(one, 's1', idempotency)
    const session = { ...conversation.session, answered: 1 }
    await one.commit(lease, { session, results: [answering('r1', 'b')], answer: 'done' })
    await one.receiveWebhook({ id: 's1', revision: 2, text: '{"x":1}' })
    await first.close()

    const { store, results } = await open({ folder })
    expect(await store.look('s1')).toEqual({ session, revision: 2, payload: { number: 1, text: '{"x":1}' } })
    expect(await store.enter({ id: 's1', idempotency })).toEqual({ state: 'answered', answer: 'done' })
    expect(await store.enter({ id: 's1', idempotency: { key: 'k', fingerprint: 'g' } })).toEqual({
      state: 'other request',
    })
    expect((await results.get('flow-1', 'r1'))?.answers).toHaveLength(2)
    expect(await store.usage()).toMatchObject({ live: { entries: 1 }, answers: { entries: 1 } })
  })

  it('has sessions whose timers came due while it was closed, for 30 days, and they live anew', async () => {
    const folder = temporaryFolder()
    const first = await openEmbedded({ folder })
    const timers = [{ type: 'idle' as const, eventId: 'e1', due: Date.now() + 1000 }]
    await first.open().start({ session: liveSession('s1', { timers }), results: [] })
    await first.open().start({ session: liveSession('s2'), results: [] })
    await first.close()

    const dayMs = 24 * 60 * 60 * 1000
    const second = await openEmbedded({ folder, now: () => fixedNow + 29 * dayMs })
    expect(await second.open().due(10)).toEqual([{ id: 's1', revision: 1 }])
    await second.close()
    const { store } = await open({ folder, now: () => fixedNow + 60 * dayMs })
    expect(await store.due(10)).toEqual([])
  })

  it('gives a repeated start the session id that was fixed before, until its answer is there', async () => {
    const folder = temporaryFolder()
    const first = await openEmbedded({ folder })
    expect(await first.open().enterStart({ newId: 's1', idempotency })).toMatchObject({ state: 'entered' })
    await first.close()

    const { store } = await open({ folder })
    expect(await store.enterStart({ newId: 's2', idempotency: { key: 'k', fingerprint: 'g' } })).toEqual({
      state: 'other request',
    })
    const entered = await store.enterStart({ newId: 's2', idempotency })
    if (entered.state !== 'entered') throw new Error('not entered')
    expect(entered.lease.id).toBe('s1')
    await store.commit(entered.lease, { session: liveSession('s1'), results: [], answer: 'hello' })
    expect(await store.enterStart({ newId: 's3', idempotency })).toMatchObject({ answer: 'hello' })
  })

  it('knows what was erased', async () => {
    const folder = temporaryFolder()
    const first = await openEmbedded({ folder })
    const one = first.open()
    await one.start({ session: liveSession('s1'), results: [answering('r1', 'a')] })
    await one.erase('s1')
    await first.results.delete('flow-1', ['r1'])
    await first.close()

    const { store, results } = await open({ folder })
    await store.start({ session: liveSession('s1'), results: [] })
    await store.start({ session: liveSession('s2'), results: [answering('r1', 'b')] })
    expect(await store.look('s1')).toBeUndefined()
    expect(await results.get('flow-1', 'r1')).toBeUndefined()
  })

  it('knows the reports of clients that it has', async () => {
    const report = { flowId: 'flow-1', resultId: 'r1', key: 'k', logs: [{ description: 'd' }], now: 1 }
    const folder = temporaryFolder()
    const first = await openEmbedded({ folder })
    await first.open().start({ session: liveSession('s1'), results: [answering('r1', 'a')] })
    await first.open().appendClientLogs(report)
    await first.close()
    const { store, results } = await open({ folder })
    expect(await store.appendClientLogs(report)).toBe(true)
    expect((await results.get('flow-1', 'r1'))?.logs).toHaveLength(1)
  })

  it('is not written to for definitions that it has already', async () => {
    const folder = temporaryFolder()
    const first = await openEmbedded({ folder, sweepMs: 0 })
    await first.definitions.retain([{ hash: 'h1', text: '{}' }])
    await first.close()
    const second = await openEmbedded({ folder, sweepMs: 0 })
    const log = join(folder, 'data.db-wal')
    const before = statSync(log, { throwIfNoEntry: false })?.size ?? 0
    await second.definitions.retain([{ hash: 'h1', text: '{}' }])
    expect(statSync(log, { throwIfNoEntry: false })?.size ?? 0).toBe(before)
    await second.definitions.retain([{ hash: 'h2', text: '{}' }])
    expect(statSync(log).size).toBeGreaterThan(before)
    await second.close()
  })

  it('has the definitions that sessions run, until none does', async () => {
    const folder = temporaryFolder()
    const first = await openEmbedded({ folder })
    const of = (hash: string) => ({ hash, text: `{"of":"${hash}"}` })
    await first.definitions.retain(['h1', 'h2', 'h3'].map(of))
    await first.definitions.put('draft', '{}')
    await first.open().start({ session: running('s1', 'h1'), results: [] })
    await first.close()

    const second = await open({ folder })
    const { definitions, store, advance } = second
    expect(await definitions.get('draft')).toBeUndefined()
    await definitions.retain([of('h2')])
    const hour = 60 * 60 * 1000
    advance(ttlMs / 2)
    await second.folder.sweep()
    for (const hash of ['h1', 'h2', 'h3']) expect(await definitions.get(hash)).toBe(`{"of":"${hash}"}`)
    advance(hour * 1.1)
    // As old as it is by now, it would have gone; another session runs the same.
    await store.start({ session: running('s2', 'h1'), results: [] })
    await second.folder.sweep()
    expect(await definitions.get('h1')).toBeDefined()
    expect(await definitions.get('h2')).toBeDefined()
    expect(await definitions.get('h3')).toBeUndefined()
    await store.erase('s2')
    advance(hour * 1.1)
    await second.folder.sweep()
    expect(await definitions.get('h1')).toBeUndefined()
  })
})

describe('a conversation that is not in memory', () => {
  it('is read from the disk, and goes on', async () => {
    const { store } = await open({ cacheBytes: 2000 })
    for (let nth = 0; nth < 30; nth++) await store.start({ session: liveSession(`s${nth}`), results: [] })
    for (let nth = 0; nth < 30; nth++) {
      const { lease, conversation } = await enter(store, `s${nth}`)
      expect(conversation.revision).toBe(1)
      expect(await store.commit(lease, { ...conversation, results: [] })).toBe(2)
    }
    expect((await store.look('s0'))?.revision).toBe(2)
  })

  it('is refused before anything is kept when it is larger than all of that room', async () => {
    const { store, results } = await open({ cacheBytes: 2000 })
    const session = liveSession('s1', { transcript: ['x'.repeat(2000)] })
    await expect(store.start({ session, results: [answering('r1', 'a')] })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    })
    expect(await store.look('s1')).toBeUndefined()
    expect(await results.get('flow-1', 'r1')).toBeUndefined()
  })

  it('lives on by being read, also when it has left memory since', async () => {
    const opened = await open({ cacheBytes: 2000 })
    const { store, advance } = opened
    await store.start({ session: liveSession('s1'), results: [] })
    advance(ttlMs * 0.7)
    expect(await store.look('s1')).toBeDefined()
    for (let nth = 0; nth < 30; nth++) await store.start({ session: liveSession(`t${nth}`), results: [] })
    advance(ttlMs * 0.7)
    await opened.folder.sweep()
    expect(await store.look('s1')).toBeDefined()
  })

  it('has its reads kept once there are 10,000 of them', async () => {
    const { folder, store } = await open()
    await store.start({ session: liveSession('s1'), results: [] })
    for (let nth = 1; nth < 10_000; nth++) folder.touch(`r${nth}`)
    expect(folder.readAt('r1')).toBeDefined()
    folder.touch('s1')
    expect([folder.readAt('r1'), folder.readAt('s1')]).toEqual([undefined, undefined])
  })
})

describe('requests that come at once', () => {
  it('are each answered, the one that fails alone refused', async () => {
    const { folder, store } = await open()
    const starts = Array.from({ length: 20 }, (_, nth) =>
      store.start({ session: liveSession(`s${nth}`), results: [] }),
    )
    const answer = { name: 'n', sessionId: 's1', fingerprint: null as unknown as string, text: undefined }
    const broken = folder.calls('turns', 'claim').claim(answer, 0)
    await expect(broken).rejects.toThrow('NOT NULL')
    await Promise.all(starts)
    for (let nth = 0; nth < 20; nth++) expect(await store.look(`s${nth}`)).toBeDefined()
    expect((await store.usage()).live.entries).toBe(20)
  })

  it('leave a payload to the turn that it came before, and refuse one that came after', async () => {
    const { store } = await open()
    await store.start({ session: liveSession('s1'), results: [] })
    const { lease, conversation } = await enter(store, 's1')
    const early = store.receiveWebhook({ id: 's1', revision: 1, text: '1' })
    const commit = store.commit(lease, { ...conversation, results: [], payloads: 'keep' })
    const late = store.receiveWebhook({ id: 's1', revision: 1, text: '2' })
    expect(await Promise.all([early, commit, late])).toEqual([true, 2, false])
    expect(await store.look('s1')).toMatchObject({ revision: 2, payload: { text: '1' } })
  })
})

describe('contacts', () => {
  it('go at the age of results, with what links to them, and traces of erased ones sooner', async () => {
    const dayMs = 24 * 60 * 60 * 1000
    const { folder, store, contacts, advance } = await open({ bounds: { resultTtlMs: 30 * dayMs } })
    for (const key of ['ann', 'bob']) {
      const { readAt } = await contacts.find(key)
      const contact = { key, readAt, profile: '{}', links: [{ flowId: 'f', resultId: key }] }
      await store.start({ session: liveSession(key), results: [], contact })
    }
    await contacts.erase('bob')
    const linked = () =>
      Promise.all(['ann', 'bob'].map(async (key) => (await contacts.links(key, { limit: 9 })).length))
    await folder.sweep()
    expect(await linked()).toEqual([1, 1])
    advance(8 * dayMs)
    await folder.sweep()
    expect(await linked()).toEqual([1, 0])
    advance(23 * dayMs)
    await folder.sweep()
    expect(await linked()).toEqual([0, 0])
    expect((await contacts.find('ann')).contact).toBeUndefined()
  })
})

describe('the file', () => {
  it('shrinks once sessions, answers and results are past their time', async () => {
    const path = temporaryFolder()
    const opened = await open({ folder: path, bounds: { resultTtlMs: ttlMs } })
    const { store, advance, results } = opened
    const filler = 'x'.repeat(10_000)
    for (let nth = 0; nth < 200; nth++) {
      const entered = await store.enterStart({
        newId: `s${nth}`,
        idempotency: { key: `k${nth}`, fingerprint: 'f' },
      })
      if (entered.state !== 'entered') throw new Error('not entered')
      const session = liveSession(`s${nth}`, { transcript: [filler] })
      await store.commit(entered.lease, { session, results: [answering(`r${nth}`, filler)], answer: filler })
    }
    await opened.folder.sweep()
    const full = bytesOf(path)
    advance(ttlMs * 1.2)
    await opened.folder.sweep()
    expect(await store.usage()).toMatchObject({
      live: { entries: 0, bytes: 0 },
      answers: { entries: 0, bytes: 0 },
    })
    expect(await results.usage()).toMatchObject({ entries: 0, bytes: 0 })
    expect(bytesOf(path)).toBeLessThan(full / 10)
  })

  it('says of a session that was erased for its age that it has expired', async () => {
    const { store, folder, advance } = await open()
    await store.start({ session: liveSession('s1'), results: [] })
    advance(ttlMs * 1.2)
    await folder.sweep()
    expect((await store.usage()).live.entries).toBe(0)
    expect(await store.whyMissing('s1')).toBe('expired')
    advance(ttlMs)
    expect(await store.whyMissing('s1')).toBe('unknown')
  })

  it('makes room for more sessions by those that were only started, and keeps an eighth for these', async () => {
    const opened = await open({ bounds: { maxSessions: 16 } })
    const { store } = opened
    for (let nth = 0; nth < 20; nth++) {
      await store.start({ session: liveSession(`a${nth}`), results: [] })
      const { lease, conversation } = await enter(store, `a${nth}`)
      await store.commit(lease, { ...conversation, results: [] })
    }
    for (let nth = 0; nth < 20; nth++) await store.start({ session: liveSession(`s${nth}`), results: [] })
    await opened.folder.sweep()
    expect((await store.usage()).live).toMatchObject({ entries: 16, evicted: 24 })
    const { find } = opened.folder.calls('sessions', 'find')
    const found = await Promise.all(Array.from({ length: 20 }, (_, nth) => find(`a${nth}`)))
    expect(found.filter(Boolean)).toHaveLength(14)
  })

  it('keeps as many answers as their bound has room for, the earliest go', async () => {
    const folder = temporaryFolder()
    const opened = await open({ folder, bounds: { maxAnswerBytes: 5000 } })
    const { store } = opened
    await store.start({ session: liveSession('s1'), results: [] })
    for (let nth = 0; nth < 30; nth++) {
      const { lease, conversation } = await enter(store, 's1', { key: `k${nth}`, fingerprint: 'f' })
      await store.commit(lease, { ...conversation, results: [], answer: 'x'.repeat(1000) })
      opened.advance(1)
    }
    await opened.folder.sweep()
    expect((await store.usage()).answers).toMatchObject({ entries: 5, bytes: 5000, evicted: 25 })
    await opened.close()
    // What is in memory beside it has gone with the process.
    const later = await open({ folder, bounds: { maxAnswerBytes: 5000 } })
    const again = (key: string) => later.store.enter({ id: 's1', idempotency: { key, fingerprint: 'f' } })
    expect(await again('k0')).toEqual({ state: 'answered', answer: '' })
    expect(await again('another')).toMatchObject({ state: 'entered' })
  })

  it('remembers that a preview was answered where its answer has no room', async () => {
    const { store } = await open({ folder: temporaryFolder() })
    await store.start({ session: smallSession, results: [] })
    const idempotency = { key: 'k', fingerprint: 'f' }
    const { lease, conversation } = await enter(store, smallSession.id, idempotency)
    await store.commit(lease, { ...conversation, results: [], answer: 'x'.repeat(2 * 1024 * 1024) })
    const again = await store.enter({ id: smallSession.id, idempotency })
    expect(again).toEqual({ state: 'answered', answer: '' })
  })

  it('holds no preview, which ends with the process', async () => {
    const folder = temporaryFolder()
    const first = await openEmbedded({ folder })
    await first.open().start({ session: smallSession, results: [] })
    expect((await first.open().usage()).previews.entries).toBe(1)
    await first.close()
    const { store } = await open({ folder })
    expect(await store.look(smallSession.id)).toBeUndefined()
  })
})

describe('a folder', () => {
  it('has one owner, and is free once that has closed it', async () => {
    const folder = temporaryFolder()
    const first = await openEmbedded({ folder })
    await expect(openEmbedded({ folder })).rejects.toThrow(`DATA_DIR is in use by another process`)
    await first.close()
    await open({ folder })
  })

  it('is made where it is missing, readable by its owner alone', async () => {
    const folder = join(temporaryFolder(), 'some', 'where')
    await open({ folder })
    expect(statSync(folder).mode & 0o077).toBe(0)
  })

  it('is refused in words where it is a file', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    await expect(openEmbedded({ folder: file })).rejects.toThrow(
      'DATA_DIR cannot be used as a folder (EEXIST)',
    )
  })

  it.runIf(process.platform === 'linux')('is refused in words where none can be made', async () => {
    await expect(openEmbedded({ folder: '/proc/data' })).rejects.toThrow(
      'DATA_DIR cannot be used as a folder (ENOENT): /proc/data',
    )
  })

  it('is refused in words where it holds something else', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'data.db'), 'x'.repeat(10_000))
    await expect(openEmbedded({ folder })).rejects.toThrow('not a database')
  })

  it('is refused when a later version has written it', async () => {
    const folder = temporaryFolder()
    await (await openEmbedded({ folder })).close()
    const { DatabaseSync } = await loadBinding(usualBinding())
    const database = new DatabaseSync(join(folder, 'data.db'))
    database.exec('INSERT INTO schema_version VALUES (99, 0)')
    database.close()
    await expect(openEmbedded({ folder })).rejects.toThrow('DATA_DIR was written by a later version')
  })

  it('finds results by their time that an earlier version has written', async () => {
    const folder = temporaryFolder()
    const first = await openEmbedded({ folder })
    const store = first.open()
    for (const [id, now] of [
      ['r1', 1000],
      ['r2', 2000],
    ] as const)
      await store.start({ session: liveSession(id), results: [{ ...answering(id, 'a'), now }] })
    await first.close()
    const { DatabaseSync } = await loadBinding(usualBinding())
    const database = new DatabaseSync(join(folder, 'data.db'))
    const later = database
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
      .all()
      .map((row) => String((row as { name: unknown }).name))
      .filter((name) => !firstTables.has(name))
    for (const name of later) database.exec(`DROP TABLE ${name}`)
    database.exec(
      `DROP INDEX sessions_by_due; ALTER TABLE sessions DROP COLUMN due;
       DROP INDEX results_by_due; ALTER TABLE results DROP COLUMN due;
       ALTER TABLE results DROP COLUMN created; ALTER TABLE results DROP COLUMN version;
       ALTER TABLE results DROP COLUMN path; ALTER TABLE results DROP COLUMN cohort;
       ALTER TABLE results DROP COLUMN place; ALTER TABLE results DROP COLUMN asked_at;
       DELETE FROM schema_version WHERE version > 1`,
    )
    database.close()
    const { results } = await open({ folder })
    const page = await results.list('flow-1', { limit: 9, filter: { from: 1000, until: 2000 } })
    expect(page.results.map(({ id }) => id)).toEqual(['r1'])
  })

  it('names the file and what can be done where the file is broken', async () => {
    const folder = temporaryFolder()
    const first = await openEmbedded({ folder })
    for (let nth = 0; nth < 50; nth++)
      await first.open().start({ session: liveSession(`s${nth}`), results: [answering('r1', 'a')] })
    await first.close()
    const file = join(folder, 'data.db')
    writeFileSync(file, readFileSync(file).fill(0, 4096, 4 * 4096))
    await expect(openEmbedded({ folder })).rejects.toThrow(
      `DATA_DIR cannot be used (database disk image is malformed): restore a backup of ${file}`,
    )
  })

  it('refuses whatever comes after it was closed', async () => {
    const { store, close } = await open()
    await close()
    await expect(store.start({ session: liveSession('s1'), results: [] })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  })
})

describe('the folder of a process that was killed', () => {
  /** What it leaves behind: no file is closed in order. */
  async function leaveBehind(turns: number) {
    const folder = temporaryFolder()
    const first = await open({ folder })
    for (let nth = 0; nth < turns; nth++)
      await first.store.start({
        session: liveSession(`s${nth}`),
        results: [answering(`r${nth}`, 'x'.repeat(900))],
      })
    const left = temporaryFolder()
    cpSync(folder, left, { recursive: true })
    return left
  }

  async function openLeft(folder: string) {
    const lines: string[] = []
    const note = (_details: object, message: string) => void lines.push(message)
    const opened = await open({ folder, report: { error: note, warn: note, info: note } })
    return { ...opened, lines }
  }

  it('is opened without a word where its log is whole, also after the log began anew', async () => {
    const left = await leaveBehind(20)
    const { lines, store, folder } = await openLeft(left)
    expect(lines).toEqual([])
    expect((await store.look('s19'))?.revision).toBe(1)
    await folder.sweep()
    await store.start({ session: liveSession('t1'), results: [] })
    const again = temporaryFolder()
    cpSync(left, again, { recursive: true })
    expect((await openLeft(again)).lines).toEqual([])
  })

  it.each<[string, (log: string) => void]>([
    ['was cut', (log) => truncateSync(log, statSync(log).size - 3000)],
    ['has a bad frame', (log) => writeFileSync(log, readFileSync(log).fill(7, 20_000, 20_064))],
    ['has a bad header', (log) => writeFileSync(log, readFileSync(log).fill(7, 8, 24))],
    ['is gone', (log) => rmSync(log)],
  ])('is opened with a warning where its log %s', async (_what, harm) => {
    // So few that no part of the log was copied, after which it begins anew.
    const left = await leaveBehind(5)
    harm(join(left, 'data.db-wal'))
    const { lines } = await openLeft(left)
    const warning = /^\d+ frames of the log .*data.db-wal are unreadable: what was answered last is lost$/
    expect(lines).toEqual([expect.stringMatching(warning)])
  })

  const tools = installedTool('prlimit', 'a start on a full disk')

  it.each(tools)(
    'can be read where the disk is full, as %s makes it, and goes on once there is room',
    async () => {
      const left = await leaveBehind(60)
      // More than the index of the log needs, and less than the log holds.
      const limit = (size: string) =>
        execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}:`])
      limit('40000')
      const { lines, store, folder } = await openLeft(left)
      try {
        expect((await store.look('s59'))?.revision).toBe(1)
        expect(await folder.problems()).toEqual(['Nothing can be kept in DATA_DIR: disk I/O error'])
        await expect(
          Promise.resolve(store.start({ session: liveSession('t1'), results: [] })),
        ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      } finally {
        limit('unlimited')
      }
      expect(await folder.problems()).toEqual([])
      await store.start({ session: liveSession('t1'), results: [] })
      expect(lines).toEqual([
        'Nothing can be kept in DATA_DIR: disk I/O error',
        'DATA_DIR can be written again',
      ])
    },
  )
})

it.each([
  ['20.20.2', '@photostructure/sqlite'],
  ['24.14.0', '@photostructure/sqlite'],
  ['24.15.0', 'node:sqlite'],
  ['26.0.0', 'node:sqlite'],
])('Node %s uses %s', (version, binding) => {
  expect(usualBinding(version)).toBe(binding)
})
