import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Server } from '../../src/http/types.ts'
import { reservedPublicIds } from '../../src/lint/rules/publication/reserved-public-id.ts'
import { readPageFiles } from '../../src/pages/page-files.ts'
import { serveChat } from '../fixtures/served-chat.ts'
import { bubble, textInput } from '../fixtures/short-flows.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { wholeDefinition } from '../support/conformance.ts'

const folder = join(import.meta.dirname, '../../dist/pages')
const local = { host: 'localhost:3000' }
const elsewhere = { host: 'flows.example' }
const previewToken = 'preview-token'
const authors = { authorization: `Bearer ${previewToken}` }

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

const urls = ['/', '/f/a', '/try', '/published-flows', '/script-frame']

describe('the pages of the service', () => {
  it.each([
    { pages: undefined, headers: local, shown: urls },
    { pages: undefined, headers: { host: '[::1]:3000' }, shown: urls },
    { pages: undefined, headers: elsewhere, shown: [] },
    { pages: undefined, headers: { ...local, via: '1.1 proxy' }, shown: [] },
    { pages: 'off', headers: local, shown: [] },
    { pages: 'visitor', headers: elsewhere, shown: ['/f/a', '/script-frame'] },
    { pages: 'on', headers: elsewhere, shown: urls },
  ] as const)('are shown as configured: $pages, $headers', async ({ pages, headers, shown }) => {
    const { app } = await buildTestApp({ config: { pages } })
    const statuses = await Promise.all(urls.map((url) => app.inject({ url, headers })))
    expect(urls.filter((_url, index) => statuses[index]?.statusCode === 200)).toEqual(shown)
    for (const { statusCode } of statuses) expect([200, 404]).toContain(statusCode)
  })

  it('are those of flows at their public ids, too, for clients of the other API', async () => {
    const states = [
      { publicId: 'a', state: 'published' },
      { publicId: 'b', state: 'stale' },
      { publicId: 'gone', state: 'published', isArchived: true },
      { publicId: 'broken', state: 'broken' },
      { publicId: 'health', state: 'published' },
    ]
    const publication = { states: () => states } as never
    const compat = { trustedViewerOrigins: [] }
    const { app } = await buildTestApp({ publication, config: { compat } })
    const answer = async (url: string) => app.inject({ url, headers: elsewhere })
    const page = (await answer('/f/a')).body
    for (const url of ['/a', '/b', '/a?name=Ada', '/a#x']) expect((await answer(url)).body, url).toBe(page)
    for (const url of ['/gone', '/broken', '/none', '/robots.txt', '/a/b', '/', '/published-flows'])
      expect((await answer(url)).statusCode, url).toBe(404)
    expect((await answer('/health')).json()).toEqual({ status: 'ok' })
    expect((await answer('/a')).headers['content-security-policy']).toContain("script-src 'self'")
    const off = await buildTestApp({ publication, config: { compat, pages: 'off' } })
    expect((await off.app.inject({ url: '/a', headers: elsewhere })).statusCode).toBe(404)
    const without = await buildTestApp({ publication })
    expect((await without.app.inject({ url: '/a', headers: local })).statusCode).toBe(404)
  })

  it('give way to addresses of the service, all of which are a finding', async () => {
    const { app } = await buildTestApp({ config: { compat: { trustedViewerOrigins: [] } } })
    const names = readAddresses(app).flatMap((url) => /^\/([^/:*]+)$/.exec(url)?.[1] ?? [])
    expect(names.sort()).toEqual(reservedPublicIds)
  })

  it.each(['/', '/try'])('may not be framed where flows are listed or tried: %s', async (url) => {
    const { app } = await buildTestApp()
    const { headers } = await app.inject({ url, headers: local })
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it('allow the style sheet of the editor by a word that is another one each time', async () => {
    const { app } = await buildTestApp()
    const read = async () => {
      const { headers, body } = await app.inject({ url: '/try', headers: local })
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
    { config: {}, headers: local, status: 200 },
    { config: { pages: 'on' }, headers: elsewhere, status: 403 },
    { config: { pages: 'on', previewToken }, headers: elsewhere, status: 401 },
    { config: { previewToken }, headers: local, status: 401 },
    { config: { pages: 'on', previewToken }, headers: { ...elsewhere, ...authors }, status: 200 },
    { config: {}, headers: { ...local, origin: 'https://evil.example' }, status: 404 },
    { config: {}, headers: elsewhere, status: 404 },
  ] as const)(
    'show a definition to its authors alone: $config, $headers',
    async ({ config, headers, status }) => {
      const publication = { get: async () => ({ definition: { id: 'f' } }) }
      const { app } = await buildTestApp({ config, publication: publication as never })
      const answer = await app.inject({ url: '/published-flows/f', headers })
      expect(answer.statusCode).toBe(status)
      if (status === 200) expect(answer.json()).toEqual({ definition: { id: 'f' } })
    },
  )

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

  it('take 30 KiB until something is seen, and 200 with all that may follow', async () => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.gz'))
    const sizes = new Map<string, number>()
    for (const name of names) sizes.set(`/${name.slice(0, -3)}`, (await readFile(join(folder, name))).length)
    const all = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    expect(all).toBeLessThanOrEqual(200 * 1024)
    for (const page of ['list', 'visitor', 'try']) {
      const document = `${page}/index.html`
      const html = await readFile(join(folder, document), 'utf8')
      const first = [`/${document}`, ...assetsIn(html)].map((name) => sizes.get(name) ?? Number.NaN)
      const bytes = first.reduce((sum, size) => sum + size, 0)
      expect(bytes).toBeGreaterThan(5_000)
      expect(bytes).toBeLessThanOrEqual(30 * 1024)
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
    const list = (headers: Record<string, string>) => app.inject({ url: '/published-flows', headers })
    expect((await list(local)).json()).toEqual({ flows: [state] })
    expect((await list({ ...local, origin: 'http://localhost:3000' })).statusCode).toBe(200)
    expect((await list({ ...local, origin: 'https://evil.example' })).statusCode).toBe(404)
  })

  it.each([
    { config: {}, headers: local, origin: 'http://localhost:3000', status: 200 },
    { config: { pages: 'off' }, headers: local, origin: 'http://localhost:3000', status: 403 },
    { config: {}, headers: local, origin: 'http://evil.example', status: 403 },
    { config: { pages: 'visitor' }, headers: elsewhere, origin: 'http://flows.example', status: 200 },
    {
      config: { pages: 'visitor', publicUrl: 'https://shop.example' },
      headers: elsewhere,
      origin: 'http://flows.example',
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
