import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticationRequired, mayChangeResults, recogniseAuthors } from '../http/protection/auth.ts'
import type { Server } from '../http/types.ts'
import { ServiceError } from '../lib/errors.ts'
import { packageRoot } from '../lib/package-root.ts'
import type { NamedToken } from '../ports/caller.ts'
import type { Publication } from '../publication/publication.ts'
import type { PublishedFlows } from '../stores/published-flows.ts'
import { exchangeToken, sendHint } from './author-entry.ts'
import { flowDocument, themeOf } from './flow-document.ts'
import { createFontFiles } from './font-files.ts'
import { createOriginWarning } from './origin-warning.ts'
import { addOutlines } from './outline/outline-routes.ts'
import { type PageFile, type PageFiles, type PageName, readPageFiles } from './page-files.ts'
import { framersOf, policyOf } from './page-policies.ts'

interface Dependencies {
  readonly publication: Pick<Publication, 'states' | 'get' | 'written'>
  readonly chat: { readonly published: Pick<PublishedFlows, 'byPublicId' | 'list'> }
  readonly config: {
    /** Defined where flows have a page at `/<public id>` as well, as clients of the other API expect. */
    readonly compat: object | undefined
    readonly flowsDir: string
    readonly limits: { readonly replyLength: number }
    readonly previewToken: string | undefined
    readonly adminTokens: readonly NamedToken[]
    readonly resultTtlMs: number | undefined
    readonly uploads: { readonly place: { readonly folder: string } | DirectPlace } | undefined
  }
}

/** A bucket that pages send files to, where `isDirect`. */
interface DirectPlace {
  readonly url: string
  readonly isDirect: boolean
}

const hidden = { schema: { hide: true } }

const pages = [
  { url: '/', page: 'list', needs: 'on' },
  { url: '/f/:publicId', page: 'visitor', needs: 'visitor' },
  { url: '/try', page: 'try', needs: 'on' },
  // It shows nothing without a token.
  { url: '/results', page: 'results', needs: 'visitor' },
  { url: '/script-frame', page: 'script-frame', needs: 'visitor' },
  { url: '/payment-frame', page: 'payment-frame', needs: 'visitor' },
] as const

/** Pages of the documentation that language models are given, where they look for them (llmstxt.org). */
const pagesForModels = { '/llms.txt': 'llms.txt', '/llms-full.txt': 'write-a-flow.md' }

/** The pages of the service (docs/pages.md). For whom they are off, their addresses are not there. */
export function addPages(app: Server, { publication, chat, config }: Dependencies): void {
  let reading: Promise<PageFiles> | undefined
  const files = () => {
    reading ??= readPageFiles().catch((error: unknown) => {
      // They may be built while the service runs.
      reading = undefined
      throw error
    })
    return reading
  }
  const place = config.uploads?.place ?? { folder: '' }
  const connects = 'isDirect' in place && place.isDirect ? ` ${new URL(place.url).origin}` : ''
  const show = async (page: PageName, request: FastifyRequest, reply: FastifyReply) => {
    const { document: documentOf, wordsIn, startScripts } = await files()
    const document = documentOf(page)
    if (page === 'try') return sendWithNonce(document, connects, reply)
    if (page === 'visitor') {
      const { publicId } = request.params as { publicId: string }
      const { locale } = request.query as Readonly<Record<string, unknown>>
      const flow = await chat.published.byPublicId(publicId)
      if (flow) warnOfOrigin(request, flow)
      const { styleSheets, ...sources } = await fonts.sourcesOf(flow ? themeOf(flow) : {})
      const { statusCode, html } = flowDocument(document.plain.toString(), flow, {
        locale: typeof locale === 'string' ? locale : undefined,
        acceptLanguage: request.headers['accept-language'],
        wordsIn,
        styleSheets,
        replyLength: config.limits.replyLength,
        hasOperators: config.adminTokens.some(({ rights }) => mayChangeResults(rights)),
      })
      reply.header('vary', 'Accept-Language')
      const policy = policyOf('visitor', { ...sources, connects, scripts: startScripts })
      setPageHeaders(reply, policy + framersOf(flow?.program.allowedOrigins ?? []))
      return reply.code(statusCode).type(document.type).send(html)
    }
    setPageHeaders(reply, policyOf(page))
    return sendPageFile(document, request, reply)
  }
  const fonts = createFontFiles(join(config.flowsDir, 'fonts'))
  const warnOfOrigin = createOriginWarning()
  for (const { url, page, needs } of pages) {
    app.get(url, hidden, async (request, reply) => {
      const isForAuthors = needs === 'on' || page === 'results'
      if (isForAuthors && (await exchangeToken(request, reply))) return reply
      if (needs === 'on' && isForOtherAuthors(request)) return sendHint(reply)
      refuseUnless(needs, request)
      return show(page, request, reply)
    })
  }
  if (config.compat) {
    app.get<{ Params: { publicId: string } }>('/:publicId', hidden, async (request, reply) => {
      refuseUnless('visitor', request)
      // A request for robots.txt is not answered with a page.
      const flow = await chat.published.byPublicId(request.params.publicId)
      if (!flow || flow.isArchived) throw notFound()
      return show('visitor', request, reply)
    })
  }
  app.get<{ Params: { name: string } }>('/assets/:name', hidden, async (request, reply) => {
    refuseUnless('visitor', request)
    const file = (await files()).asset(request.params.name)
    if (!file) throw notFound()
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return sendPageFile(file, request, reply)
  })
  app.get('/embed.js', hidden, async (request, reply) => {
    refuseUnless('visitor', request)
    // Its address never changes: what is kept is used while a newer one is looked for.
    reply.header('cache-control', 'public, max-age=300, stale-while-revalidate=86400')
    reply.header('access-control-allow-origin', '*')
    reply.header('cross-origin-resource-policy', 'cross-origin')
    return sendPageFile((await files()).embed, request, reply)
  })
  for (const [url, page] of Object.entries(pagesForModels)) {
    app.get(url, hidden, async (request, reply) => {
      refuseUnless('visitor', request)
      const text = await readFile(join(packageRoot, 'docs', page))
      return reply.header('cache-control', 'public, max-age=300').type('text/plain; charset=utf-8').send(text)
    })
  }
  app.get<{ Params: { '*': string } }>('/fonts/*', hidden, async (request, reply) => {
    refuseUnless('visitor', request)
    const file = await fonts.read(request.params['*'])
    if (!file) throw notFound()
    return reply.header('cache-control', 'public, max-age=86400').type(file.type).send(file.content)
  })
  app.get('/published-flows', hidden, async (request) => {
    refuseOtherSites(request)
    return { flows: publication.states().filter(({ state }) => state !== 'shadowed') }
  })
  app.register(async (scope: Server) => addOutlines(scope, { published: chat.published, config }))
  app.register(async (scope: Server) => {
    recogniseAuthors(scope, config)
    scope.get<{ Params: { publicId: string } }>('/published-flows/:publicId', hidden, async (request) => {
      refuseOtherSites(request)
      refuseReaders(request, config)
      const { definition } = await publication.get({ ...request.params, onVersion: () => undefined })
      const written = await publication.written(request.params.publicId)
      return { definition, ...(written !== undefined && { written }) }
    })
  })
}

function refuseOtherSites(request: FastifyRequest): void {
  refuseUnless('on', request)
  // Other sites can read every answer.
  const isForeign = request.headers.origin !== undefined && !request.server.pageAccess.isOwnOrigin(request)
  if (isForeign) throw notFound()
}

/** A definition holds what its visitors never see: it is for authors, whom nothing but a token shows. */
function refuseReaders(request: FastifyRequest, { previewToken, adminTokens }: Dependencies['config']): void {
  if (request.caller.kind !== 'anonymous' || request.server.pageAccess.isAuthor(request)) return
  if (previewToken !== undefined || adminTokens.length > 0) throw authenticationRequired()
  throw new ServiceError(
    'FORBIDDEN',
    'Definitions are shown for a token: set PREVIEW_TOKEN, or open the address that a local service prints when it starts',
  )
}

function refuseUnless(needed: 'visitor' | 'on', request: FastifyRequest): void {
  const allowed = request.server.pageAccess.pagesFor(request)
  if (allowed === 'on' || allowed === needed) return
  if (needed === 'on' && isForOtherAuthors(request)) {
    if (request.caller.kind !== 'anonymous') return
    throw new ServiceError('FORBIDDEN', 'Open the address that the service printed when it started')
  }
  throw notFound()
}

/** Whether the pages of authors are there, and not for this request. */
function isForOtherAuthors(request: FastifyRequest): boolean {
  const { pageAccess } = request.server
  return pageAccess.token !== undefined && pageAccess.pagesFor(request) !== 'on'
}

const notFound = () => new ServiceError('NOT_FOUND', 'Not found')

function setPageHeaders(reply: FastifyReply, policy: string): void {
  reply.header('content-security-policy', policy)
  // Ids of conversations are in no address, but those of flows may be secrets too.
  reply.header('referrer-policy', 'no-referrer')
  reply.header('cache-control', 'no-cache')
}

/** The editor of this page makes its style sheet itself, which its policy allows to who knows the nonce of the answer. */
function sendWithNonce({ type, plain }: PageFile, connects: string, reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(16).toString('base64url')
  const sources = { styles: ` 'nonce-${nonce}'`, fonts: ' https: data:', connects }
  setPageHeaders(reply, policyOf('try', sources))
  reply.header('cache-control', 'no-store')
  return reply.type(type).send(plain.toString().replaceAll('{nonce}', nonce))
}

function sendPageFile(file: PageFile, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('etag', file.etag)
  reply.header('vary', 'Accept-Encoding, Origin')
  if (headers['if-none-match'] === file.etag) return reply.code(304).send()
  reply.type(file.type)
  const accepted = String(headers['accept-encoding'] ?? '')
  if (file.brotli && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.brotli)
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.plain)
}
