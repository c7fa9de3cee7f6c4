import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readCredentials } from '../../src/config/credentials/credentials.ts'
import { callCommandLine } from '../support/call-command-line.ts'
import type { Json } from '../support/json.ts'
import { startPreview } from '../support/start.ts'

const bubble = { id: 'b1', type: 'text', content: { richText: [{ type: 'p', children: [{ text: 'Hi' }] }] } }
const link = (type: string, options: Json) => ({ id: 'b2', type, options })
const ask = { id: 'b3', type: 'text input' }

/** The flow in today's shape: what every other version is to come to. */
const twin: Json = {
  version: '6.1',
  id: 'bot-1',
  name: 'Bot',
  publicId: 'my-bot',
  events: [{ id: 's', type: 'start', outgoingEdgeId: 'e1' }],
  groups: [
    { id: 'g1', title: 'One', blocks: [bubble, link('Flow link', { flowId: 'current', groupId: 'g2' })] },
    { id: 'g2', title: 'Two', blocks: [ask] },
  ],
  edges: [{ id: 'e1', from: { eventId: 's' }, to: { groupId: 'g1' } }],
  variables: [{ id: 'v1', name: 'Name' }],
  settings: {},
  theme: {},
}

const foreign = link('Typebot link', { typebotId: 'current', groupId: 'g2' })
const groups = [
  { id: 'g1', title: 'One', blocks: [bubble, foreign] },
  { id: 'g2', title: 'Two', blocks: [ask] },
]
const startGroup = { id: 'g0', title: 'Start', blocks: [{ id: 's', type: 'start', outgoingEdgeId: 'e1' }] }
const old = { events: null, groups: [startGroup, ...groups] }
const row = { customDomain: null, folderId: null, icon: null, resultsTablePreferences: null, isClosed: false }
const stepsOf = (id: string, steps: readonly Json[]) => ({
  id,
  title: id,
  steps: steps.map((step) => ({ ...step, blockId: id })),
})

const versions: Record<string, Json> = {
  '6.1, as its editor saves it': { ...twin, ...row, groups, isArchived: null },
  '6': { ...twin, version: '6', groups },
  '5': { ...twin, ...old, version: '5' },
  '4': { ...twin, ...old, version: '4' },
  '3': { ...twin, ...old, version: '3', edges: [...(twin['edges'] as Json[]), { id: 'broken' }] },
  none: { ...twin, ...old, version: null },
  '1 or 2': {
    ...twin,
    version: undefined,
    groups: undefined,
    events: undefined,
    startBlockId: 'g0',
    blocks: [
      stepsOf('g0', [{ id: 's', type: 'start', outgoingEdgeId: 'e1' }]),
      stepsOf('g1', [bubble, link('Typebot link', { typebotId: 'current', blockId: 'g2' })]),
      stepsOf('g2', [ask]),
    ],
    edges: [{ id: 'e1', from: { blockId: 'g0', stepId: 's' }, to: { blockId: 'g1' } }],
  },
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'import-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

const call = (...args: string[]) => callCommandLine(args)

/** Imports these files; what was written, by name. */
async function importing(files: Record<string, unknown>, ...more: string[]) {
  const [from, to] = [folder(), folder()]
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(from, name), typeof content === 'string' ? content : JSON.stringify(content))
  const outcome = await call('import', from, '--out', to, ...more)
  const written = Object.fromEntries(
    readdirSync(to).map((name) => [name, JSON.parse(readFileSync(join(to, name), 'utf8'))]),
  )
  return { ...outcome, written, from, to }
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const conversation = async (definition: Json) => {
  const { flow: _flow, ...shown } = await startPreview({ definition })
  return shown
}

describe('flow-runtime import', () => {
  it.each(Object.entries(versions))('turns version %s into its twin', async (_version, definition) => {
    const { code, written, err } = await importing({ 'a.json': definition })
    expect({ code, err: err.replaceAll(/^.*: (?:info|warning) at .*\n/gm, '') }).toEqual({ code: 0, err: '' })
    const imported = written['my-bot.json']
    expect(imported.groups.at(-2)).toEqual({
      ...(twin['groups'] as Json[])[0],
      title: expect.any(String),
      blocks: [expect.objectContaining(bubble), expect.objectContaining({ id: 'b2', type: 'Flow link' })],
    })
    expect(JSON.stringify(imported)).not.toMatch(/typebot|null|folderId|steps|customDomain/i)
    expect(await conversation(imported)).toEqual(await conversation(twin))
  })

  it.each(Object.entries(versions).slice(0, -1))(
    'runs version %s as it is, too',
    async (_version, definition) => {
      expect(await conversation(definition)).toEqual(await conversation(twin))
    },
  )

  it.each([
    ['what an API answers', { typebot: twin }, 'my-bot.json'],
    ['what was published', { publishedTypebot: { ...twin, id: 'copy', typebotId: 'bot-1' } }, 'my-bot.json'],
    ['a public copy', { ...twin, id: 'copy', typebotId: 'bot-1', publicId: undefined }, 'bot.json'],
  ])('takes %s', async (_name, definition, file) => {
    const { code, written } = await importing({ 'a.json': definition })
    expect(code).toBe(0)
    expect(written[file]).toMatchObject({ id: 'bot-1', groups: twin['groups'] })
  })

  it('writes the look that a theme left to its editor, and leaves what it says', async () => {
    const theme = {
      general: { background: { type: 'Image', content: 'https://cdn.example/sea.png' }, font: 'Inter' },
      chat: { buttons: { backgroundColor: '#123456', border: { thickness: 3 } } },
    }
    const { code, written } = await importing(
      {
        'a.json': { ...twin, publicId: 'new' },
        'b.json': { ...twin, id: 'b', publicId: 'old', version: '3' },
        'c.json': { ...twin, id: 'c', publicId: 'own', theme },
      },
      '--defaults',
    )
    expect(code).toBe(0)
    const corners = { roundeness: 'medium' }
    expect(written['new.json'].theme).toMatchObject({
      general: {
        font: { type: 'Google', family: 'Open Sans' },
        background: { type: 'Color', content: '#F8F8F8' },
      },
      chat: {
        container: { maxWidth: '800px' },
        hostBubbles: { backgroundColor: '#ffffff', border: { thickness: 1, color: '#dfdfdf', ...corners } },
        guestBubbles: { backgroundColor: '#ff5924', color: '#ffffff' },
      },
    })
    expect(written['new.json'].theme.general).not.toHaveProperty('progressBar')
    expect(written['old.json'].theme).toMatchObject({
      general: { background: { content: '#FFFFFF' } },
      chat: { buttons: { backgroundColor: '#0042DA', border: corners }, inputs: { shadow: 'md' } },
    })
    expect(written['own.json'].theme).toMatchObject({
      general: theme.general,
      chat: {
        buttons: { backgroundColor: '#123456', border: { thickness: 3, color: '#123456', ...corners } },
      },
    })
    const without = await importing({ 'c.json': { ...twin, publicId: 'own', theme } })
    expect(without.written['own.json'].theme).toEqual(theme)
  })

  it('knows the public id from the name of the file', async () => {
    const { written } = await importing({ 'typebot-export-shop.json': { ...twin, publicId: null } })
    expect(written['shop.json']).toMatchObject({ publicId: 'shop' })
  })

  it('says what is to be done', async () => {
    const needy = {
      ...twin,
      groups: [
        {
          id: 'g1',
          title: 'One',
          blocks: [
            link('Typebot link', { typebotId: 'gone' }),
            { id: 'm', type: 'Email', options: { credentialsId: 'mail-1', recipients: ['a@b.example'] } },
            { id: 'r', type: 'Webhook', options: { webhook: { id: 'lost' } } },
          ],
        },
      ],
    }
    const { code, out, err } = await importing({ 'a.json': needy })
    expect(code).toBe(1)
    expect(out).toContain(
      'Needs work: 1 flow\n  my-bot ("Bot"): 1 error, 1 link to flows that are not here\n',
    )
    expect(out).toContain('smtp mail-1\n    my-bot: Email in "One"\n')
    expect(err).toContain('my-bot.json: links to gone, which is not among these flows')
    expect(err).toContain(
      'my-bot.json: error at /groups/0/blocks/2/options/webhook: This request has no address.',
    )
  })

  const blockOf = (type: string, options: Json) => ({ id: type, type, options })
  const calling = (...blocks: Json[]): Json => ({ ...twin, groups: [{ id: 'g1', title: 'One', blocks }] })
  const calls = [
    blockOf('Email', { credentialsId: 'mail-1', recipients: ['a@b.example'] }),
    blockOf('openai', { credentialsId: 'key-1', action: 'Create chat completion', model: 'm', messages: [] }),
    blockOf('anthropic', { action: 'Create Chat Message', model: 'm', messages: [] }),
    blockOf('Google Sheets', { credentialsId: 'sheet-1', action: 'Get data from sheet' }),
    blockOf('dify-ai', { credentialsId: 'dify-1', action: 'Create Chat Message' }),
  ]

  it('writes what CREDENTIALS_FILE needs, which opens once its variables are set', async () => {
    const exported = {
      'a.json': calling(...calls),
      'b.json': { ...calling(...calls.slice(1, 2)), publicId: 'b' },
    }
    const { out } = await importing(exported, '--quiet')
    const text = out.slice(out.indexOf('\n[\n'))
    const entries = JSON.parse(text) as { id: string; type: string; data: Json }[]
    expect(entries.map(({ id, type }) => `${type} ${id}`)).toEqual([
      'anthropic default-anthropic',
      'dify-ai dify-1',
      'google sheets sheet-1',
      'openai key-1',
      'smtp mail-1',
    ])
    expect(entries.at(-2)).toEqual({
      id: 'key-1',
      type: 'openai',
      data: { apiKey: '$env:ACCOUNT_OPENAI_API_KEY' },
    })
    expect(out).toContain('  openai key-1\n    my-bot: openai in "One"\n    b: openai in "One"\n')
    const env = Object.fromEntries(
      [...text.matchAll(/\$env:(\w+)/g)].map(([, name]) => [name, valueFor(name ?? '')]),
    )
    const { credentials, warnings } = readCredentials(text, env)
    expect(warnings).toEqual([])
    expect(
      credentials.mailAccount('mail-1', { flowId: 'f', workspaceId: undefined, kind: 'live' }),
    ).toBeDefined()
  })

  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const valueFor = (name: string) => {
    if (name.endsWith('PRIVATE_KEY')) return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    return name.endsWith('EMAIL') ? 'a@b.example' : 'x.example'
  }

  it('tells programs the same', async () => {
    const { code, out, err } = await importing(
      { 'a.json': calling(...calls, link('Typebot link', { typebotId: 'gone' })), 'b.json': '{' },
      '--format',
      'json',
    )
    expect({ code, err }).toEqual({ code: 1, err: '' })
    expect(JSON.parse(out)).toMatchObject({
      flows: [{ publicId: 'my-bot', name: 'Bot', ready: false, missingLinks: ['gone'], leftOff: [] }],
      refusals: [{ source: expect.stringMatching(/b\.json$/), message: expect.any(String) }],
      accounts: expect.arrayContaining([
        {
          type: 'openai',
          id: 'key-1',
          uses: [{ flow: 'my-bot', group: 'One', blockId: 'openai', block: 'openai' }],
        },
      ]),
      credentials: expect.arrayContaining([{ id: 'key-1', type: 'openai', data: expect.any(Object) }]),
    })
  })

  it('makes an address of a name, which is never one that another flow has', async () => {
    const unnamed = { ...twin, publicId: null }
    const { code, written, out } = await importing(
      {
        'a.json': { ...unnamed, id: 'a', name: 'Café – Köln!' },
        'b.json': { ...unnamed, id: 'b', name: 'Café Köln' },
        'c.json': { ...twin, id: 'c', publicId: 'cafe-koln' },
        'd.json': { ...unnamed, id: 'd', name: '問い合わせ' },
      },
      '--quiet',
    )
    expect(code).toBe(0)
    const addresses = Object.entries(written).map(([file, { id, publicId }]) => [file, id, publicId])
    expect(addresses).toEqual([
      ['cafe-koln-2.json', 'a', 'cafe-koln-2'],
      ['cafe-koln-3.json', 'b', 'cafe-koln-3'],
      ['cafe-koln.json', 'c', 'cafe-koln'],
      ['d.json', 'd', 'd'],
    ])
    expect(out).toContain('Ready: 4 flows\n  cafe-koln-2 ("Café – Köln!")\n')
  })

  it('says what it left off, where that held something', async () => {
    const { out } = await importing({
      'a.json': { ...twin, ...row, customDomain: 'shop.example', icon: '🛒', resultsTablePreferences: {} },
    })
    expect(out).toContain('  my-bot: customDomain (let that domain lead here), icon\n')
  })

  it('takes the others where one can not be taken, and keeps every file in its folder', async () => {
    const { code, written, err, from, to } = await importing({
      'a.json': { ...twin, publicId: '../../etc/x' },
      'b.json': '{"no":',
      'c.json': { hello: 1 },
      'd.json': { ...twin, publicId: '-etc-x', id: 'bot-2' },
    })
    expect(code).toBe(1)
    expect(Object.keys(written)).toEqual(['-etc-x.json'])
    for (const problem of [
      /b.json: /,
      /c.json: holds no flow/,
      /d.json: would be written to .*-etc-x.json, as /,
    ])
      expect(err).toMatch(problem)
    expect((await call('import', join(from, 'a.json'), '--out', to)).err).toContain('use --force')
    expect((await call('import', join(from, 'a.json'), '--out', to, '--force')).code).toBe(0)
  })

  it('fetches an address, and follows it nowhere else', async () => {
    const url = await serve(({ url: path }, response) => {
      if (path === '/flow') response.end(JSON.stringify({ typebot: twin }))
      else response.writeHead(302, { location: '/flow' }).end()
    })
    expect((await call('import', `${url}/flow`, '--out', folder())).code).toBe(0)
    expect((await call('import', `${url}/else`, '--out', folder())).code).toBe(1)
  })

  it.each([
    [[]],
    [['x.json']],
    [['/none.json', '--out', '/tmp']],
    [[import.meta.filename, '--out', '/dev/null/x']],
    [['--what']],
    [[import.meta.filename, '--out', '/tmp/x', '--format', 'xml']],
  ])('refuses %j', async (args) => {
    expect((await call('import', ...args)).code).toBe(2)
  })
})

describe('flow-runtime pull', () => {
  const flows: Record<string, Json> = { 'bot-1': twin, 'bot-2': { ...twin, id: 'bot-2', publicId: null } }

  const editor = (asked: string[] = []) =>
    serve(({ url = '', headers }, response) => {
      asked.push(url)
      const id = /^\/api\/v1\/typebots\/([^?]+)$/.exec(url)?.[1]
      const found = id === undefined ? undefined : flows[id]
      if (headers.authorization !== 'Bearer t0k3n') response.writeHead(401).end()
      else if (url === '/api/v1/workspaces') response.end('{"workspaces":[{"id":"w 1"}]}')
      else if (url === '/api/v1/typebots?workspaceId=w%201')
        response.end(JSON.stringify({ typebots: [{ id: 'bot-1' }, { id: 'bot-2' }, { id: 'bot-3' }] }))
      else if (found) response.end(JSON.stringify({ typebot: found }))
      else response.writeHead(404).end('{}')
    })

  it('fetches all flows, and says which it could not', async () => {
    const from = await editor()
    const to = folder()
    const { code, err } = await call('pull', '--from', `${from}/`, '--token', 't0k3n', '--out', to)
    expect(readdirSync(to).sort()).toEqual(['bot.json', 'my-bot.json'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('bot-3: answers with 404') })
  })

  it('fetches those of one workspace', async () => {
    const asked: string[] = []
    const from = await editor(asked)
    await call('pull', '--from', from, '--token', 't0k3n', '--workspace', 'w 1', '--out', folder())
    expect(asked).not.toContain('/api/v1/workspaces')
    expect(asked).toContain('/api/v1/typebots/bot-2')
  })

  it('fails without telling the token', async () => {
    const { code, err } = await call('pull', '--from', await editor(), '--token', 'wr0ng', '--out', folder())
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('401: check --token') })
    expect(err).not.toContain('wr0ng')
  })

  it.each([[[]], [['--from', 'ftp://x']], [['--from', 'http://x', '--token', 't']]])(
    'refuses %j',
    async (args) => {
      expect((await call('pull', ...args)).code).toBe(2)
    },
  )

  it.each(['import', 'pull'])('explains %s', async (command) => {
    expect(await call(command, '--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('--out FOLDER'),
    })
  })
})
