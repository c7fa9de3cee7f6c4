import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configWarnings } from '../../src/config/config-warnings.ts'
import { Environment, listSettings } from '../../src/config/environment-schema.ts'
import { helpText } from '../../src/config/help-text.ts'
import { divideMemory } from '../../src/config/memory-shares.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { removedSettings } from '../../src/config/removed-settings.ts'
import { ConfigError } from '../../src/lib/config-error.ts'
import { configurationPage, readmeWithSettings } from '../../tools/configuration-page.ts'

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
  it.each(['FLOWS_DIR', 'UPLOADS_DIR'])('refuses to keep data in the folder of %s', (name) => {
    const read = () => readConfig({ [name]: './here', DATA_DIR: 'there/../here/' })
    expect(read).toThrow(`DATA_DIR must be a folder of its own; it is that of ${name}, "./here"`)
  })

  it.each([
    [
      { DATA_DIR: './data' },
      'DATA_DIR and DATABASE_URL cannot be set together: the one keeps everything on this machine, the other in a database. Leave one of them out',
    ],
    [
      { UPLOADS_S3_URL: 'https://s3.example/uploads', UPLOADS_S3_KEY: 'id:secret' },
      'UPLOAD_SECRET must be set where DATABASE_URL and UPLOADS_S3_URL are: the other processes have to know what one has signed',
    ],
    [
      { UPLOADS_DIR: './uploads' },
      'UPLOAD_SECRET must be set where DATABASE_URL and UPLOADS_DIR are: the other processes have to know what one has signed',
    ],
  ])('refuses %j beside a database', (variables, complaint) => {
    expect(complaintsAbout({ ...variables, DATABASE_URL: 'postgres://db/flows' })).toEqual([complaint])
  })

  it.each(['mysql://u:s3cret@db/flows', 's3cret@db', 'postgres://u:s3cret@db:99999/flows'])(
    'refuses %j as a database, and does not show it',
    (address) => {
      expect(complaintsAbout({ DATABASE_URL: address })).toEqual([
        'DATABASE_URL must be an address such as postgres://user:password@host:5432/name',
      ])
    },
  )

  it('refuses Redis, and says what keeps conversations in its place', () => {
    expect(complaintsAbout({ DATABASE_URL: 'postgres://db/flows', REDIS_URL: 'redis://:s3cret@db' })).toEqual(
      [
        'REDIS_URL is no longer a setting: leave it out, and set DATABASE_URL, whose database keeps conversations and counts requests for all processes',
      ],
    )
  })

  it('starts with nothing set', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      flowsDir: './flows',
      contactSecret: undefined,
      mcpTokens: [],
      sealSecret: undefined,
      dataDir: undefined,
      databaseUrl: undefined,
      databaseConnections: 10,
      logLevel: 'info',
      sessions: {
        ttlMs: 86_400_000,
        max: 1_000_000,
        maxQueuedTurns: 16,
      },
      memory: divideMemory(1_073_741_824),
      resultTtlMs: undefined,
      adminTokens: [],
      publicUrl: undefined,
      isLocal: true,
      uploads: undefined,
      previewToken: undefined,
      bodyLimit: 1_048_576,
      previewBodyLimit: 8_388_608,
      rateLimitMax: 6_000,
      trustedProxies: 0,
      bodyBounds: {
        values: 300_000,
        keys: 20_000,
        shapes: 5_000,
        levels: 500,
      },
      bodiesMaxBytes: 67_108_864,
      unread: { maxBytes: 67_108_864, maxMs: 30_000 },
      maxConnections: 10_000,
      maxEventStreams: 2_000,
      flowTestsMs: 5_000,
      outbox: { maxEvents: 500_000, deliveredMs: 86_400_000, setAsideMs: 604_800_000 },
      inbox: {
        maxWaiting: 50_000,
        maxOfLine: 200,
        maxEvents: 5_000_000,
        knownMs: 604_800_000,
      },
      webhookWaitMs: 15_000,
      drainMs: 0,
      watchdogSeconds: 30,
      maxEventLoopDelayMs: 500,
      heavyTurns: { maxPreviews: 8, max: 32 },
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
        wholeTurnMs: 60_000,
        callsPerTurn: 20,
        codeTurnMs: 3_000,
      },
      openPreviewLimits: {
        blocksPerTurn: 500,
        blockMs: 250,
        turnMs: 2_000,
        wholeTurnMs: 30_000,
        callsPerTurn: 10,
        codeMs: 500,
        codeTurnMs: 1_500,
      },
      previewHttp: 'auto',
      recordings: { maxLength: 262_144, live: undefined },
      telemetry: undefined,
    })
  })

  it('reads every variable into a place of its own', () => {
    const integers = Object.entries(Environment.properties)
      // What is divided is in many places.
      .filter(([name, { type }]) => type === 'integer' && name !== 'MEMORY_MAX_BYTES')
      .map(([name]) => name)
    const numbers: Record<string, string> = {
      ...Object.fromEntries(integers.map((name, index) => [name, String(301 + index)])),
      // Files live no longer than results.
      RESULT_TTL_SECONDS: '399',
    }
    const config = readConfig({
      ...numbers,
      HOST: '0.0.0.0',
      FLOWS_DIR: '/srv/flows',
      LOG_LEVEL: 'debug',
      PREVIEW_TOKEN: 't0ken',
      ADMIN_TOKEN: '4dmin',
      ADMIN_TOKENS: 'ci=pub=lish',
      UPLOADS_DIR: '/srv/uploads',
      UPLOAD_SECRET: 's3cret'.repeat(6),
      PUBLIC_URL: 'https://flows.example/chat/',
      PREVIEW_HTTP: 'on',
      RECORD_LIVE: '0.25',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
      OTEL_PROPAGATE_TO: 'A.example, b.example',
    })
    const read = JSON.stringify(config, (key, value) =>
      ['ttlMs', 'resultTtlMs', 'webhookWaitMs', 'drainMs'].includes(key) ? value / 1000 : value,
    )
    expect(read.match(/\b3\d\d\b/g)?.sort()).toEqual(Object.values(numbers).sort())
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: Number(numbers['PORT']),
      flowsDir: '/srv/flows',
      logLevel: 'debug',
      previewToken: 't0ken',
      adminTokens: [
        { name: 'admin', token: '4dmin' },
        { name: 'ci', token: 'pub=lish' },
      ],
      publicUrl: 'https://flows.example/chat',
      previewHttp: 'on',
      telemetry: {
        endpoint: 'http://collector.example:4318',
        capturesMessages: false,
        propagatesTo: new Set(['a.example', 'b.example']),
      },
      recordings: { live: { share: 0.25, isForErrors: false } },
      uploads: { place: { folder: '/srv/uploads' }, secret: 's3cret'.repeat(6) },
    })
  })

  it('reads a bucket with its region and its key', () => {
    const read = (url: string) =>
      readConfig({ UPLOADS_S3_URL: url, UPLOADS_S3_KEY: 'team:user:se/cr+et' }).uploads?.place
    const key = { keyId: 'team:user', secretKey: 'se/cr+et', isDirect: false }
    expect(read('https://s3.example/a')).toEqual({ url: 'https://s3.example/a', region: undefined, ...key })
    expect(read('https://a.s3.example?region=garage')).toEqual({
      url: 'https://a.s3.example',
      region: 'garage',
      ...key,
    })
    const direct = { ...key, isDirect: true }
    expect(read('https://s3.example/a?direct=on')).toMatchObject({ region: undefined, ...direct })
    expect(read('https://s3.example/a?region=eu-1&direct=on')).toMatchObject({ region: 'eu-1', ...direct })
    expect(() => read('https://s3.example/a?region=eu-1&direct=off')).toThrow('UPLOADS_S3_URL must be')
  })

  it.each([
    [{ UPLOADS_S3_URL: 'https://s3.example/a' }, 'UPLOADS_S3_KEY must be set where UPLOADS_S3_URL is'],
    [
      { UPLOADS_S3_KEY: 'id:s3cret' },
      'UPLOADS_S3_KEY is set without UPLOADS_S3_URL: set that too, or leave it out',
    ],
    [
      { UPLOADS_S3_KEY: 's3cret' },
      'UPLOADS_S3_KEY must be the id of a key, a colon and its secret, without blanks',
    ],
    [
      { UPLOADS_S3_URL: 'https://s3.example/a', UPLOADS_S3_KEY: 'id:s3cret', UPLOADS_DIR: 'b' },
      'UPLOADS_DIR and UPLOADS_S3_URL cannot be set together: files go to the one or to the other. Leave one of them out',
    ],
    [
      {
        UPLOADS_S3_URL: 'https://s3.example/a',
        UPLOADS_S3_KEY: 'id:s3cret',
        UPLOAD_MAX_BYTES: '6000000000',
        UPLOADS_MAX_BYTES: '6000000000',
      },
      'UPLOAD_MAX_BYTES must be at most 5368709120 where UPLOADS_S3_URL is set',
    ],
  ])('refuses %j for a bucket', (variables, complaint) => {
    expect(complaintsAbout(variables)).toEqual([complaint])
  })

  it('refuses what is no setting any more, and says what replaces it', () => {
    expect(complaintsAbout({ SESSION_MAX_BYTES: '1', MAX_LINK_DEPTH: '9', PORT: 'x' })).toEqual([
      'SESSION_MAX_BYTES is no longer a setting: set MEMORY_MAX_BYTES, which is divided',
      'MAX_LINK_DEPTH is fixed (50)',
      'PORT must be a whole number from 0 to 65535; it is "x"',
    ])
    for (const [name, instead] of removedSettings) {
      expect(Object.keys(Environment.properties)).not.toContain(name)
      expect(complaintsAbout({ [name]: '1' })).toEqual([instead])
      // As templates of deployments leave it.
      expect(complaintsAbout({ [name]: '' })).toEqual([])
    }
  })

  it('reads tokens with the names of their owners', () => {
    expect(readConfig({ ADMIN_TOKENS: 'ann=a1, bob.b=b2' }).adminTokens).toEqual([
      { name: 'ann', token: 'a1' },
      { name: 'bob.b', token: 'b2' },
    ])
  })

  it('tells those of assistants apart, which open nothing else', () => {
    const { adminTokens, mcpTokens } = readConfig({ ADMIN_TOKENS: 'ann=a1,desk:mcp=d1' })
    expect({ adminTokens, mcpTokens }).toEqual({
      adminTokens: [{ name: 'ann', token: 'a1' }],
      mcpTokens: [{ name: 'desk', token: 'd1' }],
    })
  })

  it('reads what tokens are for', () => {
    const text = 'ci:publish@shop=c1\nbi:results+read-only=b1\nview:read-only=v1\nann@shop=a1,all=l1'
    expect(readConfig({ ADMIN_TOKENS: text }).adminTokens).toEqual([
      { name: 'ci', token: 'c1', rights: { scopes: ['publish'], flow: 'shop' } },
      { name: 'bi', token: 'b1', rights: { scopes: ['results'], isReadOnly: true } },
      { name: 'view', token: 'v1', rights: { isReadOnly: true } },
      { name: 'ann', token: 'a1', rights: { flow: 'shop' } },
      { name: 'all', token: 'l1' },
    ])
  })

  it('has a token that reads results and does nothing else', () => {
    expect(readConfig({ RESULTS_TOKEN: 'r1', ADMIN_TOKENS: 'ann=a1' }).adminTokens).toEqual([
      { name: 'results', token: 'r1', rights: { scopes: ['results'], isReadOnly: true } },
      { name: 'ann', token: 'a1' },
    ])
    const same = () => readConfig({ ADMIN_TOKEN: 's3cret', RESULTS_TOKEN: 's3cret' })
    expect(same).toThrow('RESULTS_TOKEN: is that of ADMIN_TOKEN')
    expect(same).not.toThrow('s3cret')
    const named = () => readConfig({ RESULTS_TOKEN: 's3cret', ADMIN_TOKENS: 'results=0ther' })
    expect(named).toThrow('two entries have the name "results"')
  })

  it.each([
    ['', 'ADMIN_TOKENS must be'],
    ['ann=s3cret,bob', 'ADMIN_TOKENS: entry 2 is not name=token'],
    ['ann=s3 cret', 'ADMIN_TOKENS: entry 1 is not name=token'],
    ['an n=s3cret', 'ADMIN_TOKENS: entry 1 is not name=token'],
    ['ann=', 'ADMIN_TOKENS: entry 1 is not name=token'],
    ['ann=s3cret,', 'ADMIN_TOKENS: entry 2 is not name=token'],
    ['admin=s3cret', 'ADMIN_TOKENS: "admin" is the name of ADMIN_TOKEN'],
    ['ann=s3cret,ann=0ther', 'ADMIN_TOKENS: two entries have the name "ann"'],
    ['ann=s3cret,bob=s3cret', 'ADMIN_TOKENS: "bob" has the token of another name'],
    ['ann:owner=s3cret', 'ADMIN_TOKENS: "ann" has a scope that is not known'],
    ['ann:results+owner=s3cret', 'ADMIN_TOKENS: "ann" has a scope that is not known'],
    ['ann:mcp@shop=s3cret', 'ADMIN_TOKENS: "ann" is of an assistant'],
    ['ann:mcp+publish=s3cret', 'ADMIN_TOKENS: "ann" has a scope that is not known'],
    ['ann=s3cret\n\nbob=0ther', 'ADMIN_TOKENS: entry 2 is not name=token'],
    ['ann:mcp=s3cret,ann=0ther', 'ADMIN_TOKENS: two entries have the name "ann"'],
    ['ann:mcp=t0p-s3cret', 'ADMIN_TOKENS: "ann" has the token of another name'],
    ['ann=t0p-s3cret', 'ADMIN_TOKENS: "ann" has the token of another name'],
  ])('refuses tokens %j, and shows none', (text, complaint) => {
    const read = () => readConfig({ ADMIN_TOKEN: 't0p-s3cret', ADMIN_TOKENS: text })
    expect(read).toThrow(complaint)
    expect(read).not.toThrow('3cret')
  })

  it('lets an address ask any number of times where its limit is 0', () => {
    expect(readConfig({ RATE_LIMIT_MAX: '0' }).rateLimitMax).toBeUndefined()
    expect(readConfig({ RATE_LIMIT_MAX: '7' }).rateLimitMax).toBe(7)
  })

  it('cannot be changed afterwards', () => {
    const config = readConfig({})
    expect([config, config.limits, config.sessions, config.memory].every(Object.isFrozen)).toBe(true)
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

  it.each(['PORT', 'HOST', 'FLOWS_DIR', 'LOG_LEVEL', 'RESULT_TTL_SECONDS', 'PUBLIC_URL', 'UPLOADS_DIR'])(
    'takes an empty %s for an absent one',
    (name) => {
      expect(readConfig({ [name]: '' })).toEqual(readConfig({}))
    },
  )

  it.each([
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
    ['ADMIN_TOKEN', '', 'ADMIN_TOKEN must be printable ASCII characters without blanks'],
    ['PREVIEW_TOKEN', '', 'PREVIEW_TOKEN must be printable ASCII characters without blanks'],
    ['PREVIEW_TOKEN', 'é', 'PREVIEW_TOKEN must be printable ASCII characters without blanks'],
    ['ADMIN_TOKEN', 'my secret', 'ADMIN_TOKEN must be printable ASCII characters without blanks'],
    ['ADMIN_TOKEN', 'é', 'ADMIN_TOKEN must be printable ASCII characters without blanks'],
    ['ADMIN_TOKEN', 'a\u007f', 'ADMIN_TOKEN must be printable ASCII characters without blanks'],
    ['UPLOAD_SECRET', 'x'.repeat(31), 'UPLOAD_SECRET must be text of at least 32 characters without blanks'],
    [
      'UPLOAD_SECRET',
      `${'x'.repeat(31)} `,
      'UPLOAD_SECRET must be text of at least 32 characters without blanks',
    ],
    [
      'PUBLIC_URL',
      'https://a.example:99999/',
      'PUBLIC_URL must be an http(s) address; it is "https://a.example:99999/"',
    ],
    [
      'UPLOADS_MAX_BYTES',
      '10485759',
      'UPLOADS_MAX_BYTES must be at least UPLOAD_MAX_BYTES, which is 10485760; it is 10485759',
    ],
    [
      'UPLOAD_MAX_BYTES',
      '1073741825',
      'UPLOADS_MAX_BYTES must be at least UPLOAD_MAX_BYTES, which is 1073741825; it is 1073741824',
    ],
    ['PUBLIC_URL', 'flows.example', 'PUBLIC_URL must be an http(s) address; it is "flows.example"'],
    [
      'PUBLIC_URL',
      'https://a.example/?x',
      'PUBLIC_URL must be an http(s) address; it is "https://a.example/?x"',
    ],
  ])('refuses %s=%j', (name, text, complaint) => {
    expect(complaintsAbout({ [name]: text })).toEqual([complaint])
  })

  it.each([
    ['PREVIEW_TOKEN', 'my s3cret'],
    ['OPENAI_BASE_URL', 'https://me:s3cret@llm.example:99999/v1'],
    ['TOGETHER_BASE_URL', 's3cret'],
    ['GROQ_API_KEY', 's3cret key'],
    ['SMTP_URL', 'me:s3cret@mail.example'],
  ])('never shows the secret in %s', (name, text) => {
    const complaints = complaintsAbout({ [name]: text })
    expect(complaints).toEqual([expect.stringMatching(`^${name} must be `)])
    expect(complaints.join()).not.toContain('s3cret')
  })
})

describe('configWarnings', () => {
  const config = (more: object) => ({ ...readConfig({}), ...more })

  it.each(['127.0.0.1', '127.8.0.9', '::1', 'localhost'])('says nothing about what is open on %s', (host) => {
    expect(configWarnings(config({ host }))).toEqual([])
  })

  it.each(['0.0.0.0', '::', '10.0.0.7', 'flows.example', '127.evil.example'])(
    'warns of open previews and open metrics on %s',
    (host) => {
      const previews = expect.stringMatching(/^Previews .*PREVIEW_TOKEN/)
      const metrics = expect.stringMatching(/^Metrics .*METRICS_TOKEN/)
      const warnings = configWarnings(config({ host }))
      expect(warnings).toEqual([previews, metrics])
      for (const warning of warnings) expect(warning).toContain(host)
      expect(configWarnings(config({ host, previewToken: 'preview-t0ken-that-is-long' }))).toEqual([metrics])
      expect(configWarnings(config({ host, metricsToken: 'metrics-t0ken-that-is-long' }))).toEqual([previews])
    },
  )
})

describe('tokens', () => {
  const long = 'of-sixteen-chars'

  it.each<[Record<string, string>, string[]]>([
    [{ ADMIN_TOKEN: long, PREVIEW_TOKEN: `${long}2`, METRICS_TOKEN: `${long}3` }, []],
    [
      { ADMIN_TOKEN: 'of-15-character', ADMIN_TOKENS: `ann=x,bob=${long}` },
      [
        'The admin token "admin" has fewer than 16 characters, and can be guessed: draw a longer one',
        'The admin token "ann" has fewer than 16 characters, and can be guessed: draw a longer one',
      ],
    ],
    [
      { ADMIN_TOKEN: long, PREVIEW_TOKEN: long, METRICS_TOKEN: long },
      [
        'METRICS_TOKEN is the same as PREVIEW_TOKEN: who has the one may do what the other is for',
        'The admin token "admin" is the same as PREVIEW_TOKEN: who has the one may do what the other is for',
        'The admin token "admin" is the same as METRICS_TOKEN: who has the one may do what the other is for',
      ],
    ],
  ])('that can be guessed, or open what they are not for, are warned of: %j', (variables, warnings) => {
    expect(configWarnings(readConfig(variables))).toEqual(warnings)
  })
})

describe('the addresses of uploads', () => {
  it('are set by the operator, or else the operator is warned', () => {
    const UPLOADS_DIR = '/srv/uploads'
    expect(configWarnings(readConfig({ UPLOADS_DIR }))).toEqual([expect.stringContaining('set PUBLIC_URL')])
    expect(configWarnings(readConfig({ UPLOADS_DIR, PUBLIC_URL: 'https://flows.example' }))).toEqual([])
  })
})

describe('the age of uploads', () => {
  it.each([
    [{}, 30 * 86_400],
    [{ UPLOAD_TTL_SECONDS: '60' }, 60],
    [{ RESULT_TTL_SECONDS: '50' }, 50],
    [{ UPLOAD_TTL_SECONDS: '60', RESULT_TTL_SECONDS: '50' }, 50],
    [{ UPLOAD_TTL_SECONDS: '60', RESULT_TTL_SECONDS: '70' }, 60],
  ])('with %j is at most that of results', (variables, seconds) => {
    expect(readConfig({ UPLOADS_DIR: 'x', ...variables }).uploads?.ttlMs).toBe(seconds * 1000)
  })
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

  it('is the page that the schema makes: `npm run docs` writes it', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8')
    expect(page).toBe(configurationPage())
  })

  it('is in the README as far as everybody needs it: `npm run docs` writes it', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
    expect(readme).toBe(readmeWithSettings(readme))
    expect(readme).toContain('\n| `DATA_DIR` | – | ')
  })

  it('has no more variables than somebody can choose', () => {
    expect(listSettings().length).toBeLessThanOrEqual(56)
  })
})
