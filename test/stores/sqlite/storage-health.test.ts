import { describe, expect, it } from 'vitest'
import { type Failure, isWrite, type Kind, type Reads } from '../../../src/stores/sqlite/database-protocol.ts'
import { createStorageHealth } from '../../../src/stores/sqlite/storage-health.ts'

const readKinds: Record<keyof Reads, true> = {
  'find session': true,
  'why missing': true,
  'find answer': true,
  'get result': true,
  'has result': true,
  'list results': true,
  'list result names': true,
  'get definition': true,
  'list flows': true,
  'find flow': true,
  'list versions': true,
  'list audit': true,
  usage: true,
}

const full: Failure = { message: 'database or disk is full', errcode: 13, code: undefined }

function makeHealth(probe = async () => {}) {
  const lines: object[] = []
  const note = (details: object, message: string) => void lines.push({ message, ...details })
  const report = { error: note, warn: note, info: note }
  let probes = 0
  const counted = () => {
    probes += 1
    return probe()
  }
  const health = createStorageHealth({ report, probe: counted }, '/data')
  return { health, lines, probes: () => probes }
}

describe('what became of a request', () => {
  it.each(Object.keys(readKinds) as Kind[])('leaves a full disk full where it only reads: %s', (kind) => {
    const { health, lines, probes } = makeHealth()
    health.note('keep', full)
    expect(health.note(kind, undefined)).toBeUndefined()
    expect([lines.length, probes()]).toEqual([1, 0])
  })

  it('leads to a probe where it wrote, which ends the trouble', async () => {
    const { health, lines } = makeHealth()
    health.note('keep', full)
    health.note('keep', undefined)
    await expect.poll(() => lines.length).toBe(2)
    expect(lines).toMatchObject([
      { message: 'Nothing can be kept in DATA_DIR: database or disk is full' },
      { message: 'DATA_DIR can be written again' },
    ])
    expect(isWrite('keep')).toBe(true)
  })

  it.each([11, 11 | (2 << 8), 26])(
    'names the file and what can be done where the file is broken: %d',
    (errcode) => {
      const { health, lines } = makeHealth()
      expect(health.note('get result', { message: 'malformed', errcode, code: undefined })).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      })
      expect(lines).toMatchObject([{ remedy: expect.stringContaining('restore a backup of /data/data.db') }])
    },
  )

  it('is 413 for what is larger than SQLite can hold, and 503 only for what the machine is', () => {
    const { health, lines } = makeHealth()
    const of = (errcode: number) => health.note('keep', { message: 'm', errcode, code: undefined })
    expect(of(18)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    expect(of(19)).not.toHaveProperty('code')
    expect(lines).toEqual([])
    expect(of(13)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})
