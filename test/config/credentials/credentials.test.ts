import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readCredentials } from '../../../src/config/credentials/credentials.ts'
import { ConfigError } from '../../../src/lib/config-error.ts'
import type { CredentialScope } from '../../../src/ports/credentials-port.ts'

const live: CredentialScope = { kind: 'live', flowId: 'flow-1', workspaceId: 'w1' }
const trusted: CredentialScope = { kind: 'trusted preview', flowId: 'flow-1', workspaceId: undefined }
const stranger: CredentialScope = { kind: 'preview', flowId: 'flow-1', workspaceId: 'w1' }

const smtpData = { host: 'mail.example', port: 587, from: { email: 'no-reply@shop.example' } }
const smtp = { id: 'm1', type: 'smtp', data: smtpData }
const openai = { id: 'o1', type: 'openai', data: { apiKey: 'sk-1' } }

const read = (entries: unknown, env: Record<string, string> = {}) =>
  readCredentials(JSON.stringify(entries), env)
const readEnv = (env: Record<string, string>) => readCredentials(undefined, env)

function complaintsOf(run: () => unknown): string[] {
  try {
    run()
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('an account', () => {
  it('is found by its id and its type', () => {
    const { credentials, warnings } = read([smtp, openai])
    expect(warnings).toEqual([])
    expect(credentials.mailAccount('m1', live)).toEqual(smtpData)
    expect(credentials.model('o1', 'openai', live)).toEqual({
      apiKey: 'sk-1',
      baseUrl: 'https://api.openai.com/v1',
    })
  })

  it('is of no use to another type', () => {
    const { credentials } = read([smtp, openai])
    expect(credentials.mailAccount('o1', live)).toBeUndefined()
    expect(credentials.model('m1', 'openai', live)).toBeUndefined()
    expect(credentials.model('o1', 'mistral', live)).toBeUndefined()
    expect(credentials.model('m1', 'smtp', live)).toBeUndefined()
  })

  it.each(['nobody', '', '__proto__', 'constructor'])('is not found by %j', (id) => {
    const { credentials } = read([smtp, openai])
    expect(credentials.mailAccount(id, live)).toBeUndefined()
    expect(credentials.model(id, 'openai', live)).toBeUndefined()
  })

  it('at a messenger is found by its id, and by no flow', () => {
    const whatsapp = { accessToken: 'EAA', phoneNumberId: '1', appSecret: 's', verifyToken: 'v' }
    const telegram = {
      botToken: '110201543:AAH-x_1',
      secretToken: 'sixteen_letters-',
      baseUrl: 'http://bots:8081/',
    }
    const { credentials } = read([
      { id: 'shop', type: 'whatsapp', data: whatsapp },
      { id: 'bot', type: 'telegram', data: telegram },
      openai,
    ])
    expect(credentials.channel('shop')).toEqual({
      type: 'whatsapp',
      ...whatsapp,
      baseUrl: 'https://graph.facebook.com/v24.0',
    })
    expect(credentials.channel('bot')).toEqual({ type: 'telegram', ...telegram, baseUrl: 'http://bots:8081' })
    expect(credentials.channel('o1')).toBeUndefined()
    expect(credentials.channel('constructor')).toBeUndefined()
    expect(credentials.vendor('shop', 'whatsapp', live)).toBeUndefined()
  })

  it('at a messenger is refused where a secret is missing or is none', () => {
    const whatsapp = { accessToken: 'EAA', phoneNumberId: '+1', verifyToken: 'v' }
    const telegram = { botToken: 'AAH', secretToken: 'short' }
    const entries = [
      { id: 'shop', type: 'whatsapp', data: whatsapp },
      { id: 'bot', type: 'telegram', data: telegram },
    ]
    expect(complaintsOf(() => read(entries)).map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        expect.stringContaining('CREDENTIALS_FILE /0/data/appSecret is missing'),
        expect.stringContaining('CREDENTIALS_FILE /0/data/phoneNumberId must be digits'),
        expect.stringContaining('CREDENTIALS_FILE /1/data/botToken must be a token of @BotFather'),
        expect.stringContaining(
          'CREDENTIALS_FILE /1/data/secretToken must be 16 to 256 letters, digits, _ and -',
        ),
      ]),
    )
  })

  it('says how mail travels', () => {
    const data = {
      ...smtpData,
      username: 'u',
      password: 'p',
      isTlsEnabled: false,
      ignoreTls: true,
      from: { email: 'a@b', name: 'Shop' },
    }
    const { ignoreTls: _, ...rest } = data
    expect(read([{ ...smtp, data }]).credentials.mailAccount('m1', live)).toEqual({
      ...rest,
      ignoresTls: true,
    })
  })

  it.each([
    ['openai', 'https://api.openai.com/v1'],
    ['mistral', 'https://api.mistral.ai/v1'],
    ['groq', 'https://api.groq.com/openai/v1'],
    ['deepseek', 'https://api.deepseek.com/v1'],
    ['open-router', 'https://openrouter.ai/api/v1'],
    ['together-ai', 'https://api.together.xyz/v1'],
    ['perplexity', 'https://api.perplexity.ai'],
    ['anthropic', 'https://api.anthropic.com/v1'],
  ])('for %s is used at %s', (type, baseUrl) => {
    const { credentials } = read([{ ...openai, type }])
    expect(credentials.model('o1', type, live)).toEqual({ apiKey: 'sk-1', baseUrl })
  })

  it.each([
    ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1'],
    ['https://llm.shop.example/v1//', 'https://llm.shop.example/v1'],
    ['https://llm.shop.example', 'https://llm.shop.example'],
  ])('may be used at an address of its own: %s', (given, baseUrl) => {
    const { credentials } = read([{ ...openai, data: { apiKey: 'k', baseUrl: given } }])
    expect(credentials.model('o1', 'openai', live)?.baseUrl).toBe(baseUrl)
  })

  it('cannot be changed by whoever uses it', () => {
    const { credentials } = read([smtp, openai])
    expect(credentials.mailAccount('m1', live)).toSatisfy(Object.isFrozen)
    expect(credentials.model('o1', 'openai', live)).toSatisfy(Object.isFrozen)
  })

  it('does not show when the accounts are written out', () => {
    const { credentials } = read([{ ...smtp, data: { ...smtpData, password: 'pa55word' } }])
    expect(JSON.stringify(credentials) + inspect(credentials, { depth: 9, showHidden: true })).not.toContain(
      'pa55',
    )
  })
})

describe('who may use an account', () => {
  const limits = {
    everybody: {},
    workspace: { workspaceId: 'w1' },
    otherWorkspace: { workspaceId: 'w2' },
    flow: { allowedFlows: ['flow-0', 'flow-1'] },
    otherFlow: { allowedFlows: ['flow-2'] },
    noFlow: { allowedFlows: [] },
    workspaceOtherFlow: { workspaceId: 'w1', allowedFlows: ['flow-2'] },
    noPreview: { allowPreview: false },
    preview: { allowPreview: true },
    previewOtherWorkspace: { allowPreview: true, workspaceId: 'w2' },
  }
  type Limit = keyof typeof limits
  const may = (scope: CredentialScope, limit: Limit) =>
    read([{ ...openai, ...limits[limit] }]).credentials.model('o1', 'openai', scope) !== undefined

  it.each<[Limit, boolean, boolean, boolean]>([
    ['everybody', true, true, false],
    ['workspace', true, false, false],
    ['otherWorkspace', false, false, false],
    ['flow', true, true, false],
    ['otherFlow', false, false, false],
    ['noFlow', false, false, false],
    ['workspaceOtherFlow', false, false, false],
    ['noPreview', true, false, false],
    ['preview', true, true, true],
    ['previewOtherWorkspace', false, true, true],
  ])('%s: live %s, trusted preview %s, preview %s', (limit, isLive, isTrusted, isStranger) => {
    expect([may(live, limit), may(trusted, limit), may(stranger, limit)]).toEqual([
      isLive,
      isTrusted,
      isStranger,
    ])
  })

  it('is asked of mail as well', () => {
    const { credentials } = read([{ ...smtp, workspaceId: 'w2' }])
    expect(credentials.mailAccount('m1', live)).toBeUndefined()
    expect(credentials.mailAccount('m1', { ...live, workspaceId: 'w2' })).toEqual(smtpData)
  })

  it('is nobody of no workspace where one is asked for', () => {
    const { credentials } = read([{ ...smtp, workspaceId: 'w2' }])
    expect(credentials.mailAccount('m1', { ...live, workspaceId: undefined })).toBeUndefined()
  })
})

describe('a value that names an environment variable', () => {
  it('is read from there, at any depth', () => {
    const entry = {
      id: '$env:ID',
      type: 'smtp',
      data: { ...smtpData, password: '$env:PASSWORD', from: { email: '$env:FROM' } },
      allowedFlows: ['$env:FLOW'],
    }
    const env = { ID: 'm9', PASSWORD: 'p', FROM: 'a@b', FLOW: 'flow-1' }
    expect(read([entry], env).credentials.mailAccount('m9', live)).toEqual({
      ...smtpData,
      password: 'p',
      from: { email: 'a@b' },
    })
  })

  it('is inserted once', () => {
    const entry = { ...openai, data: { apiKey: '$env:A' } }
    const { credentials } = read([entry], { A: '$env:B', B: 'secret' })
    expect(credentials.model('o1', 'openai', live)?.apiKey).toBe('$env:B')
  })

  it.each(['$env:MISSING', '$env:', '$env:EMPTY', '$env:toString'])('has to be set: %s', (apiKey) => {
    expect(complaintsOf(() => read([{ ...openai, data: { apiKey } }], { EMPTY: '' }))).toEqual([
      'CREDENTIALS_FILE /0/data/apiKey names an environment variable that is not set',
    ])
  })

  it('begins with the mark', () => {
    const { credentials } = read([{ ...openai, data: { apiKey: 'x$env:A' } }], { A: 'b' })
    expect(credentials.model('o1', 'openai', live)?.apiKey).toBe('x$env:A')
  })
})

describe('a file that is not as it should be', () => {
  const entry = (given: object) => [{ ...smtp, ...given }]
  const data = (given: object) => entry({ data: { ...smtpData, ...given } })
  const model = (given: object) => [{ ...openai, data: { apiKey: 'k', ...given } }]

  it.each<[unknown, string]>([
    [[7], '/0 must be an object'],
    [[null], '/0 must be an object'],
    [[{ type: 'smtp', data: smtpData }], '/0/id is missing'],
    [entry({ id: '' }), '/0/id must be text, not empty'],
    [entry({ type: 7 }), '/0/type must be text, not empty'],
    [[{ id: 'm1', type: 'smtp' }], '/0/data is missing'],
    [entry({ data: 's3cret' }), '/0/data must be an object'],
    [entry({ workspaceId: null }), '/0/workspaceId must be text, not empty'],
    [entry({ allowedFlows: 'flow-1' }), '/0/allowedFlows must be a list'],
    [entry({ allowedFlows: [1] }), '/0/allowedFlows/0 must be text, not empty'],
    [entry({ allowPreview: 'yes' }), '/0/allowPreview must be true or false'],
    [entry({ allowPreviews: true }), '/0/allowPreviews is not known here'],
    [data({ host: '' }), '/0/data/host must be the name or address of a server'],
    [data({ host: 'https://mail.example' }), '/0/data/host must be the name or address of a server'],
    [data({ port: '587' }), '/0/data/port must be a whole number from 1 to 65535'],
    [data({ port: 0 }), '/0/data/port must be a whole number from 1 to 65535'],
    [data({ username: 7 }), '/0/data/username must be text'],
    [data({ password: { s3cret: 1 } }), '/0/data/password must be text'],
    [data({ isTlsEnabled: 's3cret' }), '/0/data/isTlsEnabled must be true or false'],
    [data({ ignoreTls: 1 }), '/0/data/ignoreTls must be true or false'],
    [data({ from: 's3cret' }), '/0/data/from must be an object'],
    [data({ from: {} }), '/0/data/from/email is missing'],
    [data({ from: { email: 'Shop <a@b>' } }), '/0/data/from/email must be an address'],
    [data({ from: { email: 'a@b\r\nBcc: c@d' } }), '/0/data/from/email must be an address'],
    [data({ from: { email: 'a@b', name: 7 } }), '/0/data/from/name must be text'],
    [data({ tls: true }), '/0/data/tls is not known here'],
    [model({ apiKey: 's3cret ' }), '/0/data/apiKey must be text without blanks, not empty'],
    [model({ apiKey: 's3cret\n' }), '/0/data/apiKey must be text without blanks, not empty'],
    [model({ apiKey: '' }), '/0/data/apiKey must be text without blanks, not empty'],
    [model({ baseUrl: 'ftp://s3cret.example' }), '/0/data/baseUrl must be an http(s) address'],
    [model({ baseUrl: 'http://s3cret.example:99999/v1' }), '/0/data/baseUrl must be an http(s) address'],
    [model({ baseUrl: 'https://a:s3cret@llm.example' }), '/0/data/baseUrl must be an http(s) address'],
    [model({ baseUrl: 'https://llm.example/v1?key=s3cret' }), '/0/data/baseUrl must be an http(s) address'],
    [[openai, ...model({ s3: 1 })], '/1/data/s3 is not known here'],
    [[smtp, { ...openai, id: 'm1' }], '/1/id has an id that another account has'],
  ])('%j: %s', (entries, complaint) => {
    const complaints = complaintsOf(() => read(entries))
    expect(complaints).toEqual([`CREDENTIALS_FILE ${complaint}`])
    expect(complaints.join()).not.toContain('s3cret')
  })

  it.each(['', '{', '[{"apiKey":"s3cret"', '{"id":"o1"}', 'null', '"s3cret"'])('is no list: %s', (text) => {
    expect(complaintsOf(() => readCredentials(text, {}))).toEqual(['CREDENTIALS_FILE must be a list in JSON'])
  })

  it('receives all that is wrong', () => {
    const complaints = complaintsOf(() =>
      read([
        { ...smtp, data: { host: 7 } },
        { ...openai, id: 1 },
      ]),
    )
    expect(complaints).toEqual([
      'CREDENTIALS_FILE /0/data/port is missing',
      'CREDENTIALS_FILE /0/data/from is missing',
      'CREDENTIALS_FILE /0/data/host must be the name or address of a server',
      'CREDENTIALS_FILE /1/id must be text, not empty',
    ])
  })

  it.each(['some vendor', 'another', '__proto__'])('may hold accounts of type %j', (type) => {
    const { credentials, warnings } = read([{ id: 'x', type, data: { key: 's3cret' } }, smtp])
    expect(warnings).toEqual(['CREDENTIALS_FILE /0 is not used: this server has no use for its type'])
    expect(credentials.model('x', type, live)).toBeUndefined()
    expect(credentials.mailAccount('m1', live)).toBeDefined()
  })
})

describe('SMTP_URL', () => {
  const sender = 'from=Shop%20%3Cno-reply%40shop.example%3E'
  const from = { email: 'no-reply@shop.example', name: 'Shop' }
  const login = { username: 'u', password: 'p' }

  it.each([
    [`smtp://u:p@mail.example:587?${sender}`, { host: 'mail.example', port: 587, ...login, from }],
    [`smtp://u:p@mail.example:587/?${sender}`, { host: 'mail.example', port: 587, ...login, from }],
    [`smtp://mail.example?${sender}`, { host: 'mail.example', port: 25, from }],
    [`smtps://mail.example?${sender}`, { host: 'mail.example', port: 465, isTlsEnabled: true, from }],
    [`smtps://mail.example:2465?${sender}`, { host: 'mail.example', port: 2465, isTlsEnabled: true, from }],
    [`smtp://127.0.0.1:1025?${sender}`, { host: '127.0.0.1', port: 1025, from }],
    [`smtp://[::1]:1025?${sender}`, { host: '::1', port: 1025, from }],
    [
      `smtp://mail.example?ignoreTls=true&${sender}`,
      { host: 'mail.example', port: 25, ignoresTls: true, from },
    ],
    [`smtp://mail.example?ignoreTls=false&${sender}`, { host: 'mail.example', port: 25, from }],
    ['smtp://mail.example?from=a@b', { host: 'mail.example', port: 25, from: { email: 'a@b' } }],
    [
      `smtp://us%40er:p%3A%2F%23%25@mail.example?${sender}`,
      { host: 'mail.example', port: 25, username: 'us@er', password: 'p:/#%', from },
    ],
  ])('%s is an account', (url, account) => {
    const { credentials, warnings } = readEnv({ SMTP_URL: url })
    expect(warnings).toEqual([])
    expect(credentials.mailAccount('default', live)).toEqual(account)
    expect(credentials.mailAccount('default', stranger)).toBeUndefined()
  })

  const form = 'must be smtp://user:password@host:port?from=…, or the same with smtps'
  const needsSender = 'needs ?from=Name%20%3Caddress%40host%3E, the sender of its mails'
  it.each([
    ['', 'is not an address that can be read'],
    ['s3cret', 'is not an address that can be read'],
    [`smtp://u:%s3cret@mail.example?${sender}`, 'is not an address that can be read'],
    [`http://u:s3cret@mail.example?${sender}`, form],
    [`smtp://u:s3cret@mail.example/x?${sender}`, form],
    [`smtp://u:s3cret@mail.example?${sender}#x`, form],
    ['smtp://u:s3cret@mail.example', needsSender],
    ['smtp://u:s3cret@mail.example?from=', needsSender],
    ['smtp://u:s3cret@mail.example?from=Shop', needsSender],
    ['smtp://u:s3cret@mail.example?from=a@b,c@d', needsSender],
    [`smtp://u:s3cret@mail.example?${sender}&pool=true`, 'may hold from and ignoreTls after the ?'],
    [`smtp://u:s3cret@mail.example?${sender}&ignoreTls=s3cret`, 'needs ignoreTls=true or false'],
    [`smtp://?${sender}`, '(/data/host) must be the name or address of a server'],
    [`smtp://mail.example:0?${sender}`, '(/data/port) must be a whole number from 1 to 65535'],
  ])('%s is refused', (url, complaint) => {
    const complaints = complaintsOf(() => readEnv({ SMTP_URL: url }))
    expect(complaints).toEqual([`SMTP_URL ${complaint}`])
    expect(complaints.join()).not.toContain('s3cret')
  })

  it('leaves the id to one account', () => {
    const env = { SMTP_URL: `smtp://mail.example?${sender}` }
    expect(complaintsOf(() => read([{ ...smtp, id: 'default' }], env))).toEqual([
      'SMTP_URL (/id) has an id that another account has',
    ])
  })
})

describe('a key in the environment', () => {
  it.each([
    ['OPENAI', 'openai'],
    ['MISTRAL', 'mistral'],
    ['GROQ', 'groq'],
    ['DEEPSEEK', 'deepseek'],
    ['OPENROUTER', 'open-router'],
    ['TOGETHER', 'together-ai'],
    ['PERPLEXITY', 'perplexity'],
  ])('of %s is the account default-%s', (name, type) => {
    const id = `default-${type}`
    const alone = readEnv({ [`${name}_API_KEY`]: 'k' }).credentials
    expect(alone.model(id, type, live)).toEqual({
      apiKey: 'k',
      baseUrl: expect.stringMatching(/^https:.*[^/]$/),
    })
    expect(alone.model(id, type, trusted)).toBeDefined()
    expect(alone.model(id, type, stranger)).toBeUndefined()
    const elsewhere = readEnv({
      [`${name}_API_KEY`]: 'k',
      [`${name}_BASE_URL`]: 'http://llm/v1/',
    }).credentials
    expect(elsewhere.model(id, type, live)).toEqual({ apiKey: 'k', baseUrl: 'http://llm/v1' })
  })

  it('is refused by the name of its variable', () => {
    const env = {
      OPENAI_API_KEY: 's3 cret',
      GROQ_API_KEY: '',
      MISTRAL_API_KEY: 'k',
      MISTRAL_BASE_URL: 's3cret',
    }
    expect(complaintsOf(() => readEnv(env))).toEqual([
      'OPENAI_API_KEY must be text without blanks, not empty',
      'MISTRAL_BASE_URL must be an http(s) address',
      'GROQ_API_KEY must be text without blanks, not empty',
    ])
  })

  it('is missed where there is only an address', () => {
    expect(readEnv({ TOGETHER_BASE_URL: 'https://llm.example' }).warnings).toEqual([
      'TOGETHER_BASE_URL is not used: TOGETHER_API_KEY is missing',
    ])
  })
})

it('lends nothing where nothing is given', () => {
  const { credentials, warnings } = readEnv({ PATH: '/bin' })
  expect(warnings).toEqual([])
  expect(credentials.mailAccount('default', live)).toBeUndefined()
  expect(credentials.model('default-openai', 'openai', live)).toBeUndefined()
})
