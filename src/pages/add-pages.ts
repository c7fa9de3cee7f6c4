import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mayChangeResults, recogniseAuthors } from '../http/protection/auth.ts'
import type { Server } from '../http/types.ts'
import { ServiceError } from '../lib/errors.ts'
import { packageRoot } from '../lib/package-root.ts'
import type { NamedToken } from '../ports/caller.ts'
import type { Publication } from '../publication/publication.ts'
import type { PublishedFlow, PublishedFlows } from '../stores/published-flows.ts'
import { exchangeToken, sendHint } from './author-entry.ts'
import { flowDocument, themeOf } from './flow-document.ts'
import { createFontFiles } from './font-files.ts'
import { addOutlines } from './outline/outline-routes.ts'
import { type PageFiles, type PageName, readPageFiles } from './page-files.ts'
import { isForOtherAuthors, notFound, refuseOtherSites, refuseReaders, refuseUnless } from './page-guards.ts'
import { framersOf, policyOf } from './page-policies.ts'
import { sendPageFile, sendWithNonce, setPageHeaders } from './send-page.ts'

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
export function addPages(app: Server, deps: Dependencies): void {
  const { chat, config } = deps
  const files = readWhenAsked()
  const fonts = createFontFiles(join(config.flowsDir, 'fonts'))
  addDocuments(app, { ...deps, files, fonts })
  addFiles(app, files, fonts)
  addPagesForModels(app)
  addDefinitions(app, deps)
  app.register(async (scope: Server) => addOutlines(scope, { published: chat.published, config }))
}

/** Sources that pages are made of. */
interface PageSources extends Dependencies {
  readonly files: () => Promise<PageFiles>
  readonly fonts: ReturnType<typeof createFontFiles>
}

/** Files are read with the first request for one; they may be built while the service runs. */
function readWhenAsked(): () => Promise<PageFiles> {
  let reading: Promise<PageFiles> | undefined
  return () => {
    reading ??= readPageFiles().catch((error: unknown) => {
      reading = undefined
      throw error
    })
    return reading
  }
}

function addDocuments(app: Server, sources: PageSources): void {
  const { files, chat, config } = sources
  const connects = bucketAmong(config.uploads?.place)
  const showVisitor = visitorPage(sources, connects)
  const show = async (page: PageName, request: FastifyRequest, reply: FastifyReply) => {
    if (page === 'visitor') return showVisitor(request, reply)
    const document = (await files()).document(page)
    if (page === 'try') return sendWithNonce(document, connects, reply)
    setPageHeaders(reply, policyOf(page))
    return sendPageFile(document, request, reply)
  }
  for (const { url, page, needs } of pages) {
    app.get(url, hidden, async (request, reply) => {
      const isForAuthors = needs === 'on' || page === 'results'
      if (isForAuthors && (await exchangeToken(request, reply))) return reply
      if (needs === 'on' && isForOtherAuthors(request)) return sendHint(reply)
      refuseUnless(needs, request)
      return show(page, request, reply)
    })
  }
  if (!config.compat) return
  app.get<{ Params: { publicId: string } }>('/:publicId', hidden, async (request, reply) => {
    const { publicId } = request.params
    const isShown = request.server.pageAccess.pagesFor(request) !== 'off'
    const flow = isShown ? await chat.published.byPublicId(publicId) : undefined
    // A request for robots.txt is not answered with a page.
    if (!flow || flow.isArchived) throw publicId === 'mcp' ? noStream(reply) : notFound()
    return showVisitor(request, reply)
  })
}

/** Clients of assistants take it alone for the word that there is no stream at their address, which no page may hide. */
function noStream(reply: FastifyReply): ServiceError {
  reply.header('allow', 'POST')
  return new ServiceError('METHOD_NOT_ALLOWED', 'Method GET is not allowed; allowed: POST')
}

/** Addresses of other servers that pages send files to, for a policy. */
const bucketAmong = (place: NonNullable<Dependencies['config']['uploads']>['place'] | undefined) =>
  place && 'isDirect' in place && place.isDirect ? ` ${new URL(place.url).origin}` : ''

/** Answers with the page of a flow, in its look and in the language of who asks. */
function visitorPage({ files, fonts, chat, config }: PageSources, connects: string) {
  const warnOfOrigin = createOriginWarning()
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { document: documentOf, wordsIn, startScripts } = await files()
    const document = documentOf('visitor')
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
}

/** Scripts, styles and fonts of the pages, and the script that other sites embed. */
function addFiles(app: Server, files: PageSources['files'], fonts: PageSources['fonts']): void {
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
  app.get<{ Params: { '*': string } }>('/fonts/*', hidden, async (request, reply) => {
    refuseUnless('visitor', request)
    const file = await fonts.read(request.params['*'])
    if (!file) throw notFound()
    return reply.header('cache-control', 'public, max-age=86400').type(file.type).send(file.content)
  })
}

function addPagesForModels(app: Server): void {
  for (const [url, page] of Object.entries(pagesForModels)) {
    app.get(url, hidden, async (request, reply) => {
      refuseUnless('visitor', request)
      const text = await readFile(join(packageRoot, 'docs', page))
      return reply.header('cache-control', 'public, max-age=300').type('text/plain; charset=utf-8').send(text)
    })
  }
}

/** The flows that are published, for the pages of authors. */
function addDefinitions(app: Server, { publication, config }: Dependencies): void {
  app.get('/published-flows', hidden, async (request) => {
    refuseOtherSites(request)
    return { flows: publication.states().filter(({ state }) => state !== 'shadowed') }
  })
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

/**
 * Warns the operator, once for each flow with `allowedOrigins`, that its page will be refused: where the service knows no
 * origin of its own, that page counts as one of another site.
 */
function createOriginWarning() {
  const warned = new Set<string>()
  return ({ server, log }: FastifyRequest, { publicId, program }: PublishedFlow): void => {
    if (server.pageAccess.hasOrigin || program.allowedOrigins.length === 0 || warned.has(publicId)) return
    warned.add(publicId)
    log.warn({ flow: publicId }, 'PUBLIC_URL is not set: allowedOrigins refuses the page of the flow at /f')
  }
}
