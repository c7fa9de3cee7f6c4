import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../lib/errors.ts'
import type { Caller, NamedToken } from '../../ports/caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, as far as a token has proven it; anonymous before. */
    caller: Caller
  }
}

const preview: Caller = { kind: 'preview' }

/** Refuses requests to the routes of `scope` without a token of an operator, before their bodies are read. */
export function requireAdmin(scope: FastifyInstance, tokens: readonly NamedToken[]): void {
  const isOff = tokens.length === 0
  scope.addHook('onRequest', (request, _reply, done) => {
    recogniseAdmin(request, tokens)
    done(isOff ? turnedOff('the operator', 'ADMIN_TOKEN') : refusalOf(request))
  })
}

/** Refuses requests to the routes of `scope` without a token of an assistant, before their bodies are read. */
export function requireAssistant(scope: FastifyInstance, tokens: readonly NamedToken[]): void {
  scope.addHook('onRequest', (request, _reply, done) => {
    for (const { name, token } of tokens)
      if (bringsToken(request, token)) request.caller = { kind: 'assistant', name }
    done(tokens.length === 0 ? turnedOff('an assistant', 'ADMIN_TOKENS') : refusalOf(request))
  })
}

/** Recognises authors on the routes of `scope` by the token of an operator or of previews, and refuses no request. */
export function recogniseAuthors(
  scope: FastifyInstance,
  { adminTokens, previewToken }: { adminTokens: readonly NamedToken[]; previewToken: string | undefined },
): void {
  recognisePreviewToken(scope, previewToken)
  scope.addHook('onRequest', (request, _reply, done) => {
    recogniseAdmin(request, adminTokens)
    done()
  })
}

function recogniseAdmin(request: FastifyRequest, tokens: readonly NamedToken[]): void {
  // Each is compared, so that the time says nothing of whose token it is.
  for (const { name, token } of tokens)
    if (bringsToken(request, token)) request.caller = { kind: 'admin', name }
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
export function requireToken(scope: FastifyInstance, token: string | undefined): void {
  if (token === undefined) return
  scope.addHook('onRequest', (request, _reply, done) =>
    done(bringsToken(request, token) ? undefined : authenticationRequired()),
  )
}

function refusalOf({ caller }: FastifyRequest): ServiceError | undefined {
  return caller.kind === 'anonymous' ? authenticationRequired() : undefined
}

function bringsToken({ headers: { authorization } }: FastifyRequest, token: string): boolean {
  if (authorization === undefined) return false
  const [, given] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
  return given !== undefined && isSame(given, token)
}

/** The refusal of a caller whom no token has proven. */
export function authenticationRequired(): ServiceError {
  return new ServiceError('UNAUTHORIZED', 'You must be authenticated to access this resource')
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
