import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import { ServiceError } from '../../lib/errors.ts'
import type { Caller, NamedToken, Rights, TokenScope } from '../../ports/caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, as far as a token has proven it; anonymous before. */
    caller: Caller
  }
  interface FastifyContextConfig {
    /** Lets a token of one flow in, which is told of that flow alone. */
    narrowsToFlow?: boolean
  }
}

/** Author of the pages of a local service, whom their cookie shows. */
const author: NamedToken = {
  name: 'author',
  token: '',
  rights: { scopes: ['results'], isReadOnly: true },
}

const preview: Caller = { kind: 'preview' }

const assistantToken = 'a token of ADMIN_TOKENS with the scope mcp'

/** Refuses requests to the routes of `scope` without a token of an operator, before their bodies are read. */
export function requireAdmin(scope: FastifyInstance, tokens: readonly NamedToken[]): void {
  scope.addHook('onRoute', ({ url, schema }) => {
    if (!scopeOf(schema)) throw new Error(`the route ${url} says of no token what it needs`)
  })
  scope.addHook('onRequest', (request, _reply, done) => {
    const known = tokenIn(request, tokens) ?? authorOf(request)
    if (known) request.caller = { kind: 'admin', name: known.name, rights: known.rights }
    const isOff = tokens.length === 0
    const refusal = isOff ? turnedOff('the operator', 'ADMIN_TOKEN') : refusalOf(request, 'ADMIN_TOKEN')
    done(refusal ?? beyond(request, known))
  })
}

/** Refuses requests to the routes of `scope` without a token of an assistant, before their bodies are read. */
export function requireAssistant(scope: FastifyInstance, tokens: readonly NamedToken[]): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    for (const { name, token } of tokens)
      if (bringsToken(request, token)) request.caller = { kind: 'assistant', name }
    done(tokens.length === 0 ? turnedOff('an assistant', 'ADMIN_TOKENS') : refusalOf(request, assistantToken))
  })
}

/** Recognises authors on the routes of `scope` by the token of an operator, as far as it goes, or of previews; refuses no request. */
export function recogniseAuthors(
  scope: FastifyInstance,
  { adminTokens, previewToken }: { adminTokens: readonly NamedToken[]; previewToken: string | undefined },
): void {
  recognisePreviewToken(scope, previewToken)
  scope.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.authorization === undefined) return done()
    const known = tokenIn(request, adminTokens)
    if (known && !beyond(request, known))
      request.caller = { kind: 'admin', name: known.name, rights: known.rights }
    done()
  })
}

/**
 * The author whose cookie a request of our own pages brings, as far as that goes. Pages at other ports of this machine send
 * the cookie too.
 */
function authorOf(request: FastifyRequest): NamedToken | undefined {
  const { pageAccess } = request.server
  const { origin, authorization, 'sec-fetch-site': site = 'same-origin' } = request.headers
  if (authorization !== undefined || !pageAccess.isAuthor(request)) return undefined
  const isOwn = site === 'same-origin' && (origin === undefined || pageAccess.isOwnOrigin(request))
  return isOwn && author.rights && missingRight(request, author.rights) === undefined ? author : undefined
}

/** Whether the caller may know what marked variables hold. */
export function seesPersonal({ caller }: Pick<FastifyRequest, 'caller'>): boolean {
  return caller.kind === 'admin' && (caller.rights?.scopes?.includes('personal') ?? true)
}

/** The token that a request brings. Each is compared, so that the time says nothing of whose it is. */
function tokenIn(request: FastifyRequest, tokens: readonly NamedToken[]): NamedToken | undefined {
  return tokens.filter(({ token }) => bringsToken(request, token))[0]
}

/** The refusal of a request that a token is not for. */
function beyond(request: FastifyRequest, known: NamedToken | undefined): ServiceError | undefined {
  const missing = known?.rights && missingRight(request, known.rights)
  return missing === undefined
    ? undefined
    : new ServiceError(
        'FORBIDDEN',
        `The token "${known?.name}" ${missing}: use another, or widen it in ADMIN_TOKENS`,
      )
}

function missingRight(
  { method, params, routeOptions }: FastifyRequest,
  { scopes, isReadOnly, flow }: Rights,
): string | undefined {
  const scope = scopeOf(routeOptions.schema)
  if (scopes && !(scope && scopes.includes(scope)))
    return `lacks the scope ${scope ?? 'that would count here'}`
  if (isReadOnly && method !== 'GET' && method !== 'HEAD') return 'may only read'
  const { publicId } = params as { readonly publicId?: string }
  if (routeOptions.config.narrowsToFlow) return undefined
  return flow === undefined || flow === publicId ? undefined : `is for the flow "${flow}" alone`
}

/** Whether a token with these rights changes results, and conversations that are going on. */
export const mayChangeResults = ({ scopes, isReadOnly }: Rights = {}): boolean =>
  !isReadOnly && (scopes === undefined || scopes.includes('results'))

/** The scope that a route asks of tokens of operators, as its description says it. */
function scopeOf(schema: FastifySchema | undefined): TokenScope | undefined {
  const { security = [] } = (schema ?? {}) as {
    readonly security?: readonly { readonly adminToken?: readonly TokenScope[] }[]
  }
  return security.flatMap(({ adminToken = [] }) => adminToken)[0]
}

/** The caller's name in the audit: that of the operator's token. */
export function actorOf({ caller }: Pick<FastifyRequest, 'caller'>): string {
  return caller.kind === 'admin' ? caller.name : caller.kind
}

/** Refuses requests to the routes of `scope` without the preview token where one is set; without one the routes are open. */
export function requirePreviewToken(scope: FastifyInstance, token: string | undefined): void {
  if (token === undefined) return
  recognisePreviewToken(scope, token)
  scope.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)))
}

/** Recognises the preview token on the routes of `scope`, and refuses no request. */
export function recognisePreviewToken(scope: FastifyInstance, token: string | undefined): void {
  if (token === undefined) return
  scope.addHook('onRequest', (request, _reply, done) => {
    if (bringsToken(request, token)) request.caller = preview
    done()
  })
}

/** Refuses requests to the routes of `scope` without a token that proves nothing else, where one is set. */
export function requireToken(
  scope: FastifyInstance,
  { token, variable }: { readonly token: string | undefined; readonly variable: string },
): void {
  if (token === undefined) return
  scope.addHook('onRequest', (request, _reply, done) =>
    done(bringsToken(request, token) ? undefined : authenticationRequired(variable)),
  )
}

function refusalOf({ caller }: FastifyRequest, variable?: string): ServiceError | undefined {
  return caller.kind === 'anonymous' ? authenticationRequired(variable) : undefined
}

function bringsToken({ headers: { authorization } }: FastifyRequest, token: string): boolean {
  if (authorization === undefined) return false
  const [, given] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
  return given !== undefined && isSame(given, token)
}

/**
 * The refusal of a caller whom no token has proven; says how the token of a variable is sent. Clients of previews compare the words that there
 * are without one.
 */
export function authenticationRequired(variable?: string): ServiceError {
  const remedy = variable === undefined ? '' : `: send ${variable} as \`Authorization: Bearer <token>\``
  return new ServiceError('UNAUTHORIZED', `You must be authenticated to access this resource${remedy}`)
}

/** Without a configured token no request can be by whom it is for. */
function turnedOff(whose: string, variable: string): ServiceError {
  return new ServiceError(
    'FORBIDDEN',
    `This route needs a token of ${whose}, and the service has none: start it with ${variable}`,
  )
}

/** Takes a time that depends neither on where two texts differ nor on how long the right one is. */
export function isSame(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
