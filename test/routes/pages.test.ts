import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import type { Server } from '../../src/http/types.ts'
import { readPageFiles } from '../../src/pages/page-files.ts'
import { reservedPublicIds } from '../../src/tooling/lint/rules/publication/published-flow.ts'
import { serveChat } from '../fixtures/served-chat.ts'
import { bubble, textInput, variable } from '../fixtures/short-flows.ts'
import { authorCookie } from '../support/author-cookie.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { createTestChat } from '../support/start.ts'

const folder = join(import.meta.dirname, '../../dist/pages')
const local = { host: 'localhost:3000' }
const elsewhere = { host: 'flows.example' }
const previewToken = 'preview-token'
const authors = { authorization: `Bearer ${previewToken}` }
const adminTokens = [{ name: 'admin', token: 'admin-token' }]
const operators = { authorization: 'Bearer admin-token' }

/** Addresses of files that a document loads. */
const assetsIn = (html: string) =>
  [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => address ?? '')

/** The templates of all addresses that can be read, out of the tree that the router draws of them. */
function readAddresses(app: Server): string[] {
  const above: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+) \((.*)\)$/.exec(line) ?? []
      const depth = indent.length / 4
      const url = (above[depth - 1] ?? '') + part
      above[depth] = url
      return methods.includes('GET') ? [url.replace(/^(?!\/)/, '/')] : []
    })
}

const urls = [
  '/',
  '/f/a',
  '/try',
  '/results',
  '/published-flows',
  '/script-frame',
  '/payment-frame',
  '/embed.js',
  '/llms.txt',
]
const asking = { ...wholeDefinition({ blocks: [textInput('i1')] }), publicId: 'a' }
const forVisitors = ['/f/a', '/results', '/script-frame', '/payment-frame', '/embed.js', '/llms.txt']
/** Something passes requests on to the service. */
const proxied = { isLocal: false, trustedProxies: 1 }

/** What an author sends once the address with the token was opened. */
const asAuthor = async (app: Server) => ({ ...local, cookie: await authorCookie(app) })

describe('the pages of the service', () => {
  it('tell language models how to write a flow, by addresses that are there', async () => {
    const { app } = await serveChat([asking])
    const { body } = await app.inject({ url: '/llms.txt', headers: local })
    const addresses = [...body.matchAll(/\]\((\/[^)]+)\)/g)].map(([, address = '']) => address)
    expect(addresses).toContain('/llms-full.txt')
    for (const url of addresses)
      expect([url, (await app.inject({ url, headers: local })).statusCode]).toEqual([url, 200])
  })

  it.each<{ config: Partial<Config>; shown: readonly string[]; otherwise: number }>([
    { config: {}, shown: forVisitors, otherwise: 403 },
    { config: proxied, shown: [], otherwise: 404 },
    { config: { ...proxied, compat: { trustedViewerOrigins: [] } }, shown: forVisitors, otherwise: 404 },
    { config: { pages: 'off' }, shown: [], otherwise: 404 },
    { config: { pages: 'visitor' }, shown: forVisitors, otherwise: 404 },
    { config: { pages: 'on' }, shown: urls, otherwise: 404 },
    { config: { ...proxied, pages: 'on' }, shown: urls, otherwise: 404 },
  ])('are shown as configured, whatever a request says of itself: $config', async (row) => {
    const { app } = await serveChat([asking], { config: row.config })
    for (const headers of [
      local,
      elsewhere,
      { ...local, via: '1.1 proxy' },
      { ...local, cookie: 'flow-runtime-0=' },
    ]) {
      const statuses = await Promise.all(urls.map((url) => app.inject({ url, headers })))
      expect(urls.filter((_url, index) => statuses[index]?.statusCode === 200)).toEqual(row.shown)
      for (const { statusCode } of statuses) expect([200, row.otherwise]).toContain(statusCode)
    }
  })

  it('open for authors with the token of the start, which a cookie keeps', async () => {
    const { app, logLines } = await serveChat([asking])
    const { token } = app.pageAccess
    const entered = await app.inject({ url: `/try?flow=a&token=${token}`, headers: local })
    expect(entered.statusCode).toBe(303)
    expect(entered.headers).toMatchObject({
      location: '/try?flow=a',
      'set-cookie': expect.stringMatching(/^flow-runtime-0=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/),
      'referrer-policy': 'no-referrer',
    })
    // Nothing else answers what has been answered.
    expect(logLines.filter(({ level }) => Number(level) >= 40)).toEqual([])
    const cookie = String(entered.headers['set-cookie'])
    expect(cookie).not.toContain(token)
    for (const url of urls)
      expect((await app.inject({ url, headers: { ...local, cookie } })).statusCode).toBe(200)
    const wrong = await app.inject({ url: `/?token=${'x'.repeat(32)}`, headers: local })
    expect(wrong.statusCode).toBe(403)
    expect(wrong.headers).not.toHaveProperty('set-cookie')
    expect(wrong.body).toContain('the address that the service printed last')
    expect(wrong.body).not.toContain(app.pageAccess.token)
    expect(wrong.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it.each(['/', '/try?flow=a', '/results?flow=a'])(
    'open once by an address, in one browser: %s',
    async (url) => {
      const { app } = await serveChat([asking])
      const announced: string[] = []
      app.pageAccess.onSpent((token) => announced.push(token))
      const entrance = `${url}${url.includes('?') ? '&' : '?'}token=${app.pageAccess.token}`
      const open = (headers: object, method: 'GET' | 'HEAD' = 'GET') =>
        app.inject({ method, url: entrance, headers: { ...local, ...headers } })
      await open({}, 'HEAD')
      expect(announced).toEqual([])
      const [first, second] = await Promise.all([open({}), open({})])
      expect([first.statusCode, second.statusCode]).toEqual([303, 403])
      expect(second.headers).not.toHaveProperty('set-cookie')
      expect(second.body).toContain('opens the page once')
      expect(announced).toEqual([app.pageAccess.token])
      // The browser that has opened it may do so again: with its history, or by the line of the terminal.
      const cookie = String(first.headers['set-cookie'])
      expect(await open({ cookie })).toMatchObject({ statusCode: 303, headers: { location: url } })
      expect((await app.inject({ url, headers: { ...local, cookie } })).statusCode).toBe(200)
      const next = await app.inject({ url: `/?token=${announced[0]}`, headers: local })
      expect([next.statusCode, announced.length]).toEqual([303, 2])
    },
  )

  it.each([{ pages: 'off' }, { pages: 'visitor' }, proxied, { ...proxied, pages: 'on' }] as const)(
    'have no token where they are not for this machine alone: %j',
    async (config) => {
      const { app } = await buildTestApp({ config })
      expect(app.pageAccess.token).toBeUndefined()
      for (const token of ['undefined', '']) {
        const { statusCode } = await app.inject({ url: '/', headers: { cookie: `flow-runtime-0=${token}` } })
        expect(statusCode).toBe('pages' in config && config.pages === 'on' ? 200 : 404)
        expect((await app.inject({ url: `/?token=${token}` })).headers).not.toHaveProperty('set-cookie')
      }
    },
  )

  it('are those of flows at their public ids, too, for clients of the other API', async () => {
    const flows = [asking, { ...asking, id: 'gone', publicId: 'gone', isArchived: true }]
    const compat = { trustedViewerOrigins: [] }
    const { app } = await serveChat(flows, { config: { compat, isLocal: false } })
    const answer = async (url: string) => app.inject({ url, headers: elsewhere })
    const page = (await answer('/f/a')).body
    for (const url of ['/a', '/a?name=Ada', '/a#x']) expect((await answer(url)).body, url).toBe(page)
    for (const url of ['/gone', '/none', '/robots.txt', '/a/b', '/', '/published-flows'])
      expect((await answer(url)).statusCode, url).toBe(404)
    expect((await answer('/health')).json()).toEqual({ status: 'ok' })
    expect((await answer('/a')).headers['content-security-policy']).toContain("script-src 'self'")
    const off = await serveChat(flows, { config: { compat, pages: 'off' } })
    expect((await off.app.inject({ url: '/a', headers: elsewhere })).statusCode).toBe(404)
    const without = await serveChat(flows)
    expect((await without.app.inject({ url: '/a', headers: local })).statusCode).toBe(404)
  })

  it.each([undefined, { trustedViewerOrigins: [] }])(
    'leave it to the address of assistants that it has no stream, which only a 405 tells them: compat %j',
    async (compat) => {
      for (const pages of ['visitor', 'off'] as const) {
        const { app } = await buildTestApp({ config: { compat, pages } })
        const { statusCode, headers } = await app.inject({ url: '/mcp', headers: local })
        expect([statusCode, headers['allow']]).toEqual([405, 'POST'])
      }
    },
  )

  it('give way to addresses of the service, all of which are a finding', async () => {
    const { app } = await buildTestApp({ config: { compat: { trustedViewerOrigins: [] } } })
    const names = readAddresses(app).flatMap((url) => /^\/([^/:*]+)$/.exec(url)?.[1] ?? [])
    expect(names.sort()).toEqual(reservedPublicIds)
  })

  it.each(['/', '/try'])('may not be framed where flows are listed or tried: %s', async (url) => {
    const { app } = await buildTestApp()
    const { headers } = await app.inject({ url, headers: await asAuthor(app) })
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it.each([
    { allowedOrigins: undefined, policy: undefined },
    { allowedOrigins: ['https://Shop.example/'], policy: "frame-ancestors 'self' https://shop.example" },
    {
      allowedOrigins: ['null', "https://a.example; script-src 'unsafe-inline'", 'http://localhost:8080'],
      policy: "frame-ancestors 'self' http://localhost:8080",
    },
  ])('may be framed by the sites that a flow allows: $allowedOrigins', async ({ allowedOrigins, policy }) => {
    const settings = { security: { ...(allowedOrigins && { allowedOrigins }) } }
    const { app } = await serveChat([{ ...asking, settings }])
    const { headers } = await app.inject({ url: '/f/a', headers: local })
    const found = /frame-ancestors [^;]*/.exec(String(headers['content-security-policy']))?.[0]
    expect(found).toBe(policy)
    expect(headers['content-security-policy']).not.toContain('unsafe-inline')
  })

  it('allow the style sheet of the editor by a word that is another one each time', async () => {
    const { app } = await buildTestApp()
    const read = async () => {
      const { headers, body } = await app.inject({ url: '/try', headers: await asAuthor(app) })
      const nonce = /style-src 'self' 'nonce-([\w-]{22})'/.exec(
        String(headers['content-security-policy']),
      )?.[1]
      expect(body).toContain(`nonce="${nonce}"`)
      expect(headers).toMatchObject({ 'cache-control': 'no-store' })
      expect(headers).not.toHaveProperty('etag')
      return nonce
    }
    expect(await read()).not.toBe(await read())
  })

  it.each([
    { config: {}, headers: local, status: 403 },
    { config: {}, headers: local, isAuthor: true, status: 200 },
    { config: { previewToken }, headers: local, isAuthor: true, status: 200 },
    { config: {}, headers: { ...local, origin: 'https://evil.example' }, isAuthor: true, status: 404 },
    { config: { previewToken }, headers: authors, status: 200 },
    { config: { pages: 'on' }, headers: local, status: 403 },
    { config: { pages: 'on' }, headers: local, isAuthor: true, status: 200 },
    { config: { ...proxied, pages: 'on' }, headers: elsewhere, status: 403 },
    { config: { ...proxied, pages: 'on', previewToken }, headers: elsewhere, status: 401 },
    { config: { ...proxied, pages: 'on', previewToken }, headers: authors, status: 200 },
    { config: { ...proxied, pages: 'on', adminTokens }, headers: elsewhere, status: 401 },
    { config: { ...proxied, pages: 'on', adminTokens }, headers: operators, status: 200 },
    { config: { ...proxied, previewToken }, headers: authors, status: 404 },
  ] as const)('show a definition for a token alone: $config, $headers, $isAuthor', async (row) => {
    const publication = { get: async () => ({ definition: { id: 'f' } }), written: async () => 'name: F' }
    const { app } = await buildTestApp({ config: row.config, publication: publication as never })
    const headers = { ...('isAuthor' in row && (await asAuthor(app))), ...row.headers }
    const answer = await app.inject({ url: '/published-flows/f', headers })
    expect(answer.statusCode).toBe(row.status)
    if (row.status === 200) expect(answer.json()).toEqual({ definition: { id: 'f' }, written: 'name: F' })
  })

  describe('of a flow', () => {
    const metadata = {
      title: 'Ask "Ann" & {{Who}}{{= 1 + 1 =}}',
      description: "It's <b>free</b> $&",
      imageUrl: 'https://cdn.example/a.png?a=1&b=2',
      favIconUrl: 'https://cdn.example/i.ico',
    }
    const serve = async (more: Json) => {
      const variables = [variable('Who', { value: '</title><script>alert(1)</script>' })]
      const { app } = await serveChat([{ ...asking, variables, ...more }])
      return app.inject({ url: '/f/a', headers: local })
    }
    const headOf = (html: string) =>
      html.slice(html.indexOf('<title>'), html.lastIndexOf('<script type="module"'))

    it('says what its settings say, as text', async () => {
      const { statusCode, body, headers } = await serve({ settings: { metadata } })
      expect(statusCode).toBe(200)
      const title = 'Ask &#34;Ann&#34; &#38; &#60;/title&#62;&#60;script&#62;alert(1)&#60;/script&#62;'
      const description = 'It&#39;s &#60;b&#62;free&#60;/b&#62; $&#38;'
      const lines = headOf(body)
        .split('\n')
        .map((line) => line.trim())
      expect(lines.filter((line) => line !== '')).toEqual([
        `<title>${title}</title>`,
        `<meta property="og:title" content="${title}">`,
        '<meta property="og:type" content="website">',
        `<meta name="description" content="${description}">`,
        `<meta property="og:description" content="${description}">`,
        '<meta property="og:image" content="https://cdn.example/a.png?a=1&#38;b=2">',
        '<meta name="twitter:card" content="summary_large_image">',
        '<link rel="icon" href="https://cdn.example/i.ico">',
        '<meta name="robots" content="noindex">',
      ])
      const [, start = ''] = /<script>(.+?)<\/script>/s.exec(body) ?? []
      const hash = createHash('sha256').update(start).digest('base64')
      expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}'; `)
      expect(body).toContain('<html lang="" data-longest="16384">')
      expect(body).not.toContain('<!--')
    })

    it('says whether there are operators, of a flow that is closed too', async () => {
      const flows = [asking, { ...asking, id: 'b', publicId: 'b', isClosed: true }]
      const { app } = await serveChat(flows, { config: { adminTokens } })
      const facts = async (url: string) =>
        /<html .*>/.exec((await app.inject({ url, headers: local })).body)?.[0]
      expect(await facts('/f/a')).toBe('<html lang="" data-longest="16384" data-has-operators>')
      expect(await facts('/f/b')).toBe('<html lang="" data-refused data-has-operators>')
    })

    it('loads the fonts that the operator has and those that the flow names, and allows no others', async () => {
      const flowsDir = await mkdtemp(join(tmpdir(), 'fonts-'))
      onTestFinished(() => rm(flowsDir, { recursive: true }))
      await mkdir(join(flowsDir, 'fonts/open-sans/files'), { recursive: true })
      await writeFile(join(flowsDir, 'fonts/open-sans/index.css'), '@font-face {}')
      await writeFile(join(flowsDir, 'fonts/open-sans/files/latin.woff2'), 'wOF2')
      await writeFile(join(flowsDir, 'secret.css'), 'secret')
      const custom = { type: 'Custom', family: 'Own', url: 'https://type.example/own.css?a&b' }
      const face = "@font-face { src: url('https://cdn.example/x.woff2'), url(data:font/woff2;base64,) }"
      const elsewhere =
        '.a { background: url(https://other.example/x.png) } @font-face { src: url("https://a;b") }'
      const flows = Object.entries<Json>({
        plain: {},
        named: { general: { font: 'Open Sans' } },
        google: { general: { font: { type: 'Google', family: 'Open Sans' } } },
        missing: { general: { font: '../../secret' } },
        custom: { general: { font: custom } },
        face: { customCss: face + elsewhere },
      }).map(([id, theme]) => ({ ...asking, id, publicId: id, theme }))
      const { app } = await serveChat(flows, { config: { flowsDir } })
      const get = (url: string) => app.inject({ url, headers: local })
      const found = await Promise.all(
        flows.map(async ({ id }) => {
          const { headers, body } = await get(`/f/${id}`)
          const policy = String(headers['content-security-policy'])
          const sources = (name: string) => new RegExp(`${name} ([^;]*)`).exec(policy)?.[1]
          const sheets = [...headOf(body).matchAll(/stylesheet" href="([^"]+)"/g)].map(
            ([, address]) => address,
          )
          return [id, sources('style-src'), sources('font-src'), ...sheets]
        }),
      )
      expect(found).toEqual([
        ['plain', "'self'", "'self'"],
        ['named', "'self'", "'self'", '/fonts/open-sans/index.css'],
        ['google', "'self'", "'self'", '/fonts/open-sans/index.css'],
        ['missing', "'self'", "'self'"],
        ['custom', "'self' https://type.example", "'self' https:", 'https://type.example/own.css?a&#38;b'],
        ['face', "'self'", "'self' https://cdn.example data:"],
      ])
      expect((await get('/fonts/open-sans/index.css')).headers['content-type']).toBe(
        'text/css; charset=utf-8',
      )
      expect((await get('/fonts/open-sans/files/latin.woff2')).headers['content-type']).toBe('font/woff2')
      for (const path of [
        'secret.css',
        '..%2fsecret.css',
        'open-sans/%2e%2e/%2e%2e/secret.css',
        'none/index.css',
      ])
        expect((await get(`/fonts/${path}`)).statusCode, path).toBe(404)
    })

    it('reads a long style sheet once, however many rules of fonts begin in it', async () => {
      // Minutes, if each were searched to the end of it.
      const { statusCode } = await serve({ theme: { customCss: '@font-face{'.repeat(200_000) } })
      expect(statusCode).toBe(200)
    })

    it.each<[string, Json, string]>([
      ['its public id', {}, 'a'],
      ['its name', { name: 'Quiz' }, 'Quiz'],
      ['its title', { name: 'Quiz', settings: { metadata: { title: 'Play' } } }, 'Play'],
      [
        'its public id, where its settings never end',
        {
          variables: [variable('Who', { value: 'x'.repeat(20_000) })],
          settings: { metadata: { title: '{{Who}}'.repeat(100) } },
        },
        'a',
      ],
    ])('has for its title %s', async (_name, more, title) => {
      expect((await serve(more)).body).toContain(`<title>${title}</title>`)
    })

    it('may be listed by search engines where its settings allow it', async () => {
      const listed = await serve({ settings: { metadata: { allowIndexing: true } } })
      expect(listed.body).not.toContain('noindex')
    })

    it('shows no address that runs when it is opened', async () => {
      const harmful = { imageUrl: 'javascript:alert(1)', favIconUrl: 'javascript:{{Who}}' }
      expect((await serve({ settings: { metadata: harmful } })).body).not.toContain('javascript:')
    })

    it('is 403 in the words of a flow that is closed', async () => {
      const general = { systemMessages: { botClosed: 'Back on <Monday>' } }
      const settings = { metadata: { allowIndexing: true }, general }
      const { statusCode, body } = await serve({ isClosed: true, settings })
      expect(statusCode).toBe(403)
      expect(body).toContain('data-word="">Back on &#60;Monday&#62;</p>')
      expect(body).toContain('noindex')
      expect((await serve({ isClosed: true })).body).toContain('data-word="">This bot is now closed</p>')
    })

    it('is 404 for a flow that is not there, or no more', async () => {
      const { app } = await serveChat([asking])
      const missing = await app.inject({ url: '/f/none', headers: local })
      for (const { statusCode, body } of [missing, await serve({ isArchived: true })]) {
        expect(statusCode).toBe(404)
        expect(body).toContain('<title>Not found</title>')
        expect(body).toContain('There is no such conversation.')
        expect(body).toContain('noindex')
      }
    })
  })

  it('are not there before they are built, and say what builds them', async () => {
    const missing = readPageFiles(join(folder, 'not-built'))
    await expect(missing).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('npm run build'),
    })
  })

  it('come compressed, and their files are kept for ever', async () => {
    const { app } = await buildTestApp()
    const [address = ''] = assetsIn((await app.inject({ url: '/f/a', headers: local })).body)
    const plain = await app.inject({ url: address, headers: local })
    const packed = await app.inject({ url: address, headers: { ...local, 'accept-encoding': 'gzip' } })
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    const again = { ...local, 'if-none-match': String(plain.headers['etag']) }
    expect((await app.inject({ url: address, headers: again })).statusCode).toBe(304)
    expect((await app.inject({ url: '/assets/package.json', headers: local })).statusCode).toBe(404)
  })

  it('come with a script of 6 KB for other sites, which look for a newer one after a while', async () => {
    const { app } = await buildTestApp()
    const answer = (headers: Record<string, string>) => app.inject({ url: '/embed.js', headers })
    const { headers, rawPayload } = await answer({ ...elsewhere, 'accept-encoding': 'br' })
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(rawPayload.length).toBeLessThanOrEqual(6 * 1024)
    // It is no module, and leaves no names.
    expect(brotliDecompressSync(rawPayload).toString()).toMatch(/^"use strict";\(\(\)=>\{.*\}\)\(\)\s*$/s)
    expect((await answer({ ...elsewhere, 'if-none-match': String(headers['etag']) })).statusCode).toBe(304)
  })

  it('take 30 KiB of scripts until a visitor sees something, on another site too, and 250 with all that may follow', async () => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.br'))
    const sizes = new Map<string, number>()
    for (const name of names) sizes.set(`/${name.slice(0, -3)}`, (await readFile(join(folder, name))).length)
    const all = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    expect(all).toBeLessThanOrEqual(250 * 1024)
    for (const [page, most] of Object.entries({ list: 30, visitor: 30, try: 40 })) {
      const html = await readFile(join(folder, page, 'index.html'), 'utf8')
      const scripts = assetsIn(html).filter((name) => name.endsWith('.js'))
      const bytes = scripts.reduce((sum, name) => sum + (sizes.get(name) ?? Number.NaN), 0)
      expect(bytes).toBeGreaterThan(5_000)
      expect(bytes).toBeLessThanOrEqual(most * 1024)
      if (page !== 'visitor') continue
      const [, start = ''] = /<script>(.+?)<\/script>/s.exec(html) ?? []
      expect(
        bytes + brotliCompressSync(start).length + (sizes.get('/embed.js') ?? Number.NaN),
      ).toBeLessThanOrEqual(30_000)
    }
  })

  it('list flows with their titles for nobody but themselves', async () => {
    const state = {
      file: 'a.json',
      state: 'published',
      publicId: 'a',
      name: 'Ask',
      problems: [],
      findings: [],
    } as const
    const publication = { states: () => [state, { ...state, state: 'shadowed' as const }] }
    const { app } = await buildTestApp({ publication: publication as never })
    const list = async (origin?: string) =>
      app.inject({
        url: '/published-flows',
        headers: { ...(await asAuthor(app)), ...(origin && { origin }) },
      })
    expect((await list()).json()).toEqual({ flows: [state] })
    expect((await list('http://localhost:3000')).statusCode).toBe(200)
    expect((await list('https://evil.example')).statusCode).toBe(404)
  })

  it('tell the operator of a flow whose own page they may not be', async () => {
    const settings = { security: { allowedOrigins: ['https://shop.example'] } }
    const flows = [
      { ...asking, settings },
      { ...asking, id: 'open', publicId: 'open' },
    ]
    const warningsOf = async (config: Partial<Config>) => {
      const { app, logLines } = await buildTestApp({ chat: createTestChat(flows).chat, config })
      for (const url of ['/f/a', '/f/a', '/f/open', '/f/none']) await app.inject({ url, headers: elsewhere })
      return logLines.filter(({ msg }) => msg.includes('allowedOrigins')).map(({ flow }) => flow)
    }
    expect(await warningsOf({ ...proxied, pages: 'visitor' })).toEqual(['a'])
    expect(await warningsOf({ ...proxied, pages: 'visitor', publicUrl: 'https://flows.example' })).toEqual([])
    expect(await warningsOf({})).toEqual([])
  })

  it.each([
    { config: {}, headers: local, origin: 'http://localhost:3000', status: 200 },
    { config: { pages: 'off' }, headers: local, origin: 'http://localhost:3000', status: 403 },
    { config: {}, headers: local, origin: 'http://evil.example', status: 403 },
    { config: {}, headers: { host: 'evil.example' }, origin: 'http://evil.example', status: 403 },
    { config: { ...proxied, pages: 'on' }, headers: local, origin: 'http://localhost:3000', status: 403 },
    {
      config: { ...proxied, pages: 'visitor' },
      headers: elsewhere,
      origin: 'http://flows.example',
      status: 403,
    },
    {
      config: { ...proxied, pages: 'visitor' },
      headers: { ...elsewhere, 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      origin: 'https://evil.example',
      status: 403,
    },
    {
      config: { ...proxied, pages: 'visitor', publicUrl: 'https://flows.example' },
      headers: elsewhere,
      origin: 'https://flows.example',
      status: 200,
    },
    {
      config: { ...proxied, pages: 'visitor', publicUrl: 'https://flows.example' },
      headers: local,
      origin: 'http://localhost:3000',
      status: 403,
    },
  ] as const)('are no other site to a flow that lets none in: $config, $origin, $status', async (row) => {
    const settings = { security: { allowedOrigins: ['https://shop.example'] } }
    const blocks = [bubble('b1', 'Hi'), textInput('i1')]
    const { start, goOn } = await serveChat([{ ...wholeDefinition({ blocks }), settings }], {
      config: row.config,
    })
    const headers = { ...row.headers, origin: row.origin }
    expect((await start({}, headers)).statusCode).toBe(row.status)
    if (row.status === 200) expect((await goOn('Ada', headers)).statusCode).toBe(200)
  })
})
