import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../src/stores/sqlite/database-protocol.ts'
import { createStorageHealth } from '../../../src/stores/sqlite/storage-health.ts'

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
  it('leads to a probe where it wrote, which ends the trouble', async () => {
    const { health, lines } = makeHealth()
    health.failed('keep', full)
    health.served()
    await expect.poll(() => lines.length).toBe(2)
    expect(lines).toMatchObject([
      { message: 'Nothing can be kept in DATA_DIR: database or disk is full' },
      { message: 'DATA_DIR can be written again' },
    ])
  })

  it.each([11, 11 | (2 << 8), 26])(
    'names the file and what can be done where the file is broken: %d',
    (errcode) => {
      const { health, lines } = makeHealth()
      expect(health.failed('get result', { message: 'malformed', errcode, code: undefined })).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      })
      expect(lines).toMatchObject([{ remedy: expect.stringContaining('restore a backup of /data/data.db') }])
    },
  )

  it('is 413 for what is larger than SQLite can hold, and 503 only for what the machine is', () => {
    const { health, lines } = makeHealth()
    const of = (errcode: number) => health.failed('keep', { message: 'm', errcode, code: undefined })
    expect(of(18)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    expect(of(19)).not.toHaveProperty('code')
    expect(lines).toEqual([])
    expect(of(13)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})
