import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import { ConfigError } from '../../src/lib/config-error.ts'

const scope = { kind: 'live', flowId: 'flow-1', workspaceId: undefined } as const

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'accounts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'accounts.json')
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

async function complaintsAbout(variables: Record<string, string>): Promise<readonly string[]> {
  const error = await loadConfig(variables).catch((thrown: unknown) => thrown)
  return error instanceof ConfigError ? error.problems : []
}

const baseUrl = 'https://llm.example/v1'

describe('readSetup', () => {
  it('reads the configuration, destinations, and accounts of both places', async () => {
    const account = { id: 'mine', type: 'openai', data: { apiKey: '$env:MY_KEY', baseUrl } }
    const { config, reach } = await loadConfig({
      PORT: '0',
      OUTBOUND_ALLOW: 'db.example:5432',
      CREDENTIALS_FILE: fileOf(JSON.stringify([account])),
      MY_KEY: 'k1',
      GROQ_API_KEY: 'k2',
      TOGETHER_BASE_URL: baseUrl,
    })
    expect(config.port).toBe(0)
    expect(reach.allow.entries).toEqual(['db.example:5432'])
    expect(reach.credentials.model('mine', 'openai', scope)).toEqual({ apiKey: 'k1', baseUrl })
    expect(reach.credentials.model('default-groq', 'groq', scope)?.apiKey).toBe('k2')
    expect(reach.warnings).toEqual(['TOGETHER_BASE_URL is not used: TOGETHER_API_KEY is missing'])
  })

  it.skipIf(process.platform === 'win32')('warns of what other users may read', async () => {
    const CREDENTIALS_FILE = fileOf('[]')
    const DATA_DIR = dirname(CREDENTIALS_FILE)
    const warnings = async () => (await loadConfig({ CREDENTIALS_FILE, DATA_DIR })).reach.warnings
    expect(await warnings()).toEqual([])
    chmodSync(CREDENTIALS_FILE, 0o640)
    chmodSync(DATA_DIR, 0o705)
    expect(await warnings()).toEqual([
      `CREDENTIALS_FILE is open to other users of this machine: chmod 600 ${CREDENTIALS_FILE}`,
      `DATA_DIR is open to other users of this machine: chmod 700 ${DATA_DIR}`,
    ])
    expect((await loadConfig({ DATA_DIR: join(DATA_DIR, 'not-there') })).reach.warnings).toEqual([])
  })

  it('reads secrets from the files that variables name', async () => {
    const { config, reach } = await loadConfig({
      ADMIN_TOKEN_FILE: fileOf('adm1n-of-a-file\n'),
      DATABASE_URL_FILE: fileOf('postgres://flows:secret@db.example/flows\r\n'),
      GROQ_API_KEY_FILE: fileOf('k-of-a-file'),
    })
    expect(config.adminTokens).toEqual([{ name: 'admin', token: 'adm1n-of-a-file' }])
    expect(config.databaseUrl).toBe('postgres://flows:secret@db.example/flows')
    expect(reach.credentials.model('default-groq', 'groq', scope)?.apiKey).toBe('k-of-a-file')
  })

  it.each([
    [
      'is not there',
      () => '/no/such/file',
      /"\/no\/such\/file" cannot be read \(ENOENT\): put the secret there/,
    ],
    ['is a folder', () => tmpdir(), /it is no file/],
    ['never ends', () => '/dev/zero', /it is no file/],
    ['is empty', () => fileOf('\n'), /it is empty/],
    ['is far too large', () => fileOf('x'.repeat(70_000)), /more than 65536 bytes/],
    ['has no name', () => '', /"" cannot be read/],
  ])('names a file of a secret that %s, and what to do', async (_what, path, complaint) => {
    const [problem, ...others] = await complaintsAbout({ ADMIN_TOKEN_FILE: path() })
    expect(problem).toMatch(/^ADMIN_TOKEN_FILE: /)
    expect(problem).toMatch(complaint)
    expect(others).toEqual([])
  })

  it('says from which file a wrong secret comes, and never what it is', async () => {
    const file = fileOf('two words')
    const [problem, ...others] = await complaintsAbout({ METRICS_TOKEN_FILE: file })
    expect(problem).toBe(
      `METRICS_TOKEN must be printable ASCII characters without blanks; it is read from ${JSON.stringify(file)}, by METRICS_TOKEN_FILE`,
    )
    expect(others).toEqual([])
  })

  it('takes a secret from one place only', async () => {
    const both = { SMTP_URL: 'smtp://a.example', SMTP_URL_FILE: fileOf('smtp://b.example') }
    expect(await complaintsAbout(both)).toEqual([
      'SMTP_URL_FILE and SMTP_URL cannot be set together: leave one of them out',
    ])
  })

  it('reaches nothing special when nothing is set', async () => {
    const { reach } = await loadConfig({})
    expect([reach.allow.entries, reach.warnings]).toEqual([[], []])
  })

  it('reports all that is wrong with everything at once, and no variable twice', async () => {
    const complaints = await complaintsAbout({
      PORT: 'x',
      OPENAI_API_KEY: 's3cret key',
      OUTBOUND_ALLOW: 'a.example, me:s3cret@b.example, *',
      CREDENTIALS_FILE: join(tmpdir(), 'no-such-s3cret', 'accounts.json'),
      SMTP_URL: 'smtp://u:s3cret@mail.example',
      GROQ_API_KEY: 'k',
      GROQ_BASE_URL: 'https://me:s3cret@llm.example',
    })
    expect(complaints).toEqual([
      'PORT must be a whole number from 0 to 65535; it is "x"',
      'OPENAI_API_KEY must be text without blanks, not empty',
      'OUTBOUND_ALLOW: entry 2 is neither a host, an address nor a range of addresses',
      'OUTBOUND_ALLOW: entry 3, "*", is neither a host, an address nor a range of addresses',
      'CREDENTIALS_FILE cannot be read (ENOENT)',
      'SMTP_URL needs ?from=Name%20%3Caddress%40host%3E, the sender of its mails',
      'GROQ_BASE_URL must be an http(s) address',
    ])
  })

  it('starts without the file, the list and the addresses that are set to nothing', async () => {
    const empty = { CREDENTIALS_FILE: '', OUTBOUND_ALLOW: '', OPENAI_BASE_URL: '' }
    const { reach } = await loadConfig(empty)
    expect([reach.allow.entries, reach.warnings]).toEqual([[], []])
  })

  it('reports what is wrong in the file', async () => {
    expect(await complaintsAbout({ CREDENTIALS_FILE: fileOf('s3cret') })).toEqual([
      'CREDENTIALS_FILE must be a list in JSON',
    ])
    const account = { id: 'mine', type: 'openai', data: { apiKey: 'k', baseUrl: 'http://h:99999/v1' } }
    expect(await complaintsAbout({ CREDENTIALS_FILE: fileOf(JSON.stringify([account])) })).toEqual([
      'CREDENTIALS_FILE /0/data/baseUrl must be an http(s) address',
    ])
  })
})
