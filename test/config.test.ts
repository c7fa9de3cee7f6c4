import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, configWarnings, readConfig } from '../src/config.ts'
import { Environment, listSettings } from '../src/environment.ts'
import { helpText } from '../src/help.ts'
import { configurationTable } from './support/configuration-table.ts'

function complaintsAbout(variables: Record<string, string>): string[] {
  try {
    readConfig(variables)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('readConfig', () => {
  it('starts with nothing set', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      flowsDir: './flows',
      logLevel: 'info',
      sessions: { ttlMs: 86_400_000, max: 1_000_000, maxBytes: 268_435_456, maxQueuedTurns: 16 },
      definitionMaxBytes: 268_435_456,
      results: { maxBytes: 134_217_728, ttlMs: undefined },
      idempotencyMaxBytes: 33_554_432,
      adminToken: undefined,
      publicUrl: undefined,
      uploads: undefined,
      previewToken: undefined,
      bodyLimit: 1_048_576,
      previewBodyLimit: 8_388_608,
      limits: {
        blocksPerTurn: 1000,
        messagesPerTurn: 500,
        charactersPerTurn: 8_388_608,
        linkDepth: 50,
        returnMarks: 100,
        variableLength: 65_536,
        variablesLength: 1_048_576,
        blockMs: 1_000,
        turnMs: 10_000,
        replyLength: 16_384,
      },
    })
  })

  it('reads every variable into a place of its own', () => {
    const integers = Object.entries(Environment.properties)
      .filter(([, { type }]) => type === 'integer')
      .map(([name]) => name)
    const numbers = Object.fromEntries(integers.map((name, index) => [name, String(101 + index)]))
    const config = readConfig({
      ...numbers,
      HOST: '0.0.0.0',
      FLOWS_DIR: '/srv/flows',
      LOG_LEVEL: 'debug',
      PREVIEW_TOKEN: 't0ken',
      ADMIN_TOKEN: '4dmin',
      UPLOADS_DIR: '/srv/uploads',
      UPLOAD_SECRET: 's3cret',
      PUBLIC_URL: 'https://flows.example/chat/',
    })
    const read = JSON.stringify(config, (key, value) => (key === 'ttlMs' ? value / 1000 : value))
    expect(read.match(/\b1\d\d\b/g)?.sort()).toEqual(Object.values(numbers).sort())
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: Number(numbers['PORT']),
      flowsDir: '/srv/flows',
      logLevel: 'debug',
      previewToken: 't0ken',
      adminToken: '4dmin',
      publicUrl: 'https://flows.example/chat',
      uploads: { folder: '/srv/uploads', secret: 's3cret' },
    })
  })

  it('cannot be changed afterwards', () => {
    const config = readConfig({})
    expect([config, config.limits, config.sessions, config.results].every(Object.isFrozen)).toBe(true)
    expect(Object.isFrozen(readConfig({ UPLOADS_DIR: 'x' }).uploads)).toBe(true)
  })

  it('names all bad variables at once', () => {
    expect(complaintsAbout({ PORT: '70000', LOG_LEVEL: 'loud', SESSION_MAX: '0', HOST: '10.0.0.1' })).toEqual(
      [
        'PORT must be a whole number from 0 to 65535; it is "70000"',
        'LOG_LEVEL must be one of: fatal, error, warn, info, debug, trace, silent; it is "loud"',
        'SESSION_MAX must be a whole number, at least 1; it is "0"',
      ],
    )
  })

  it.each([
    ['PORT', '', 'PORT must be a whole number from 0 to 65535; it is ""'],
    ['PORT', '1e3', 'PORT must be a whole number from 0 to 65535; it is "1e3"'],
    ['PORT', '0x50', 'PORT must be a whole number from 0 to 65535; it is "0x50"'],
    ['PORT', ' 80', 'PORT must be a whole number from 0 to 65535; it is " 80"'],
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535; it is "-1"'],
    ['BODY_LIMIT', '1.5', 'BODY_LIMIT must be a whole number, at least 1; it is "1.5"'],
    [
      'BODY_LIMIT',
      '99999999999999999999',
      'BODY_LIMIT must be a whole number, at least 1; it is "99999999999999999999"',
    ],
    ['HOST', '', 'HOST must be text, not empty; it is ""'],
    ['FLOWS_DIR', '', 'FLOWS_DIR must be text, not empty; it is ""'],
    ['PREVIEW_TOKEN', '', 'PREVIEW_TOKEN must be text without blanks, not empty'],
    ['ADMIN_TOKEN', 'my secret', 'ADMIN_TOKEN must be text without blanks, not empty'],
    ['PUBLIC_URL', 'flows.example', 'PUBLIC_URL must be an http(s) address; it is "flows.example"'],
    [
      'PUBLIC_URL',
      'https://a.example/?x',
      'PUBLIC_URL must be an http(s) address; it is "https://a.example/?x"',
    ],
  ])('refuses %s=%j', (name, text, complaint) => {
    expect(complaintsAbout({ [name]: text })).toEqual([complaint])
  })

  it('never shows a secret', () => {
    expect(complaintsAbout({ PREVIEW_TOKEN: 'my secret' }).join()).not.toContain('my secret')
  })
})

describe('configWarnings', () => {
  it.each(['127.0.0.1', '127.8.0.9', '::1', 'localhost'])(
    'says nothing about open previews on %s',
    (host) => {
      expect(configWarnings({ host, previewToken: undefined })).toEqual([])
    },
  )

  it.each(['0.0.0.0', '::', '10.0.0.7', 'flows.example', '127.evil.example'])(
    'warns of open previews on %s',
    (host) => {
      expect(configWarnings({ host, previewToken: undefined })).toEqual([expect.stringContaining(host)])
      expect(configWarnings({ host, previewToken: 't0ken' })).toEqual([])
    },
  )
})

describe('documentation of the configuration', () => {
  it('lists every variable with its default in --help', () => {
    const lines = helpText().split('\n')
    for (const { name, defaultText, description } of listSettings()) {
      const line = lines.find((candidate) => candidate.trim().split(/\s+/)[0] === name)
      expect(line).toContain(description)
      expect(line?.trim().split(/\s+/)[1]).toBe(defaultText || '-')
    }
  })

  it('lists every variable in the README as it is', () => {
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
    expect(readme).toContain(configurationTable())
  })
})
