import { describe, expect, it } from 'vitest'
import { type LogEntry, logForAuthors, logForVisitors } from '../../../src/engine/model/log-entry.ts'

const log = {
  status: 'error',
  description: 'Email not sent',
  details: '{"to":"ada"}',
  context: 'Mail',
} as const

describe('a log', () => {
  it('is for its author alone, whatever it says, where no audience is named', () => {
    for (const description of ['Email not sent', 'Hi', '']) {
      expect(logForVisitors({ ...log, description })).toBeUndefined()
    }
  })

  it.each<[LogEntry, object]>([
    [{ ...log, audience: 'visitors' }, log],
    [
      { ...log, audience: 'visitors without details' },
      { ...log, details: undefined },
    ],
    [{ description: 'Hi', audience: 'visitors' }, { description: 'Hi' }],
  ])('reaches visitors as it is meant for them: %j', (entry, read) => {
    expect(logForVisitors(entry)).toEqual(read)
    expect(Object.keys(logForVisitors(entry) ?? {})).not.toContain('audience')
  })

  it('is whole for its author', () => {
    for (const audience of ['visitors', 'visitors without details'] as const) {
      expect(Object.entries(logForAuthors({ ...log, audience }))).toEqual(Object.entries(log))
    }
  })
})
