import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../../../schemas/error.ts'
import { type ErrorCode, ServiceError } from '../../lib/errors.ts'
import { setDefaultHeaders } from './default-headers.ts'

/** The HTTP status of every error. */
export const errorStatus = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE_CONTENT: 422,
  TOO_MANY_REQUESTS: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>

/** Refusals of the framework, in the API's own codes and messages. */
const refusals: ReadonlyMap<unknown, readonly [ErrorCode, string]> = new Map([
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', ['UNSUPPORTED_MEDIA_TYPE', 'The request body must be application/json']],
  ['FST_ERR_BAD_URL', ['BAD_REQUEST', 'The request address is not well-formed']],
  ['FST_ERR_MAX_PARAM_LENGTH', ['NOT_FOUND', 'Not found']],
])

/** The problem document of an error. Any other error is a defect, and its text stays inside. */
function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError && error.code !== 'INTERNAL_SERVER_ERROR') return error
  const { code, statusCode = 500 } = Object(error) as { code?: unknown; statusCode?: number }
  const refusal = refusals.get(code)
  if (refusal) return new ServiceError(...refusal)
  // A caller that hangs up half-way, for one.
  if (statusCode < 500) return new ServiceError('BAD_REQUEST', 'The request could not be read')
  return new ServiceError('INTERNAL_SERVER_ERROR', 'Internal server error', { cause: error })
}

/** Writes an error as a problem document (RFC 9457). `instance` is the path of the request. */
export function problemBody(error: ServiceError, instance?: string): ErrorBody {
  const { code, message, problems, extension } = error
  const status = errorStatus[code]
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? code,
    status,
    detail: message,
    ...(instance !== undefined && { instance }),
    code,
    message,
    ...(problems && { errors: [...problems] }),
    ...(extension as Pick<ErrorBody, 'input' | 'reason'> | undefined),
  }
}

/** Answers a request that failed; every error ends up here. Defects are logged with their stack. */
export const sendProblem = sendErrorAs(problemBody, 'application/problem+json; charset=utf-8')

/** Error handler that answers by documents of this kind; `instance` is the path of the request. */
export function sendErrorAs(
  write: (error: ServiceError, instance: string | undefined) => object,
  contentType: string,
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    const problem = prepareProblem(error, request, reply)
    reply
      .code(errorStatus[problem.code])
      .header('content-type', contentType)
      .send(JSON.stringify(write(problem, request.url.split('?', 1)[0])))
  }
}

/** Logs a defect, and sets the headers of the answer. */
function prepareProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): ServiceError {
  const problem = toServiceError(error)
  const { code, cause } = problem
  const status = errorStatus[code]
  if (code === 'INTERNAL_SERVER_ERROR' || (status >= 500 && cause !== undefined)) {
    const err = cause ?? problem
    const { id: requestId, routeOptions } = request
    // A refusal of our own says what was refused, and its cause why; of a defect there is only the cause.
    const refusal = code === 'INTERNAL_SERVER_ERROR' ? {} : { refusal: problem.message }
    request.log.error({ err, requestId, route: routeOptions.url, ...refusal }, 'request failed')
  }
  setDefaultHeaders(request, reply)
  if (code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer')
  const mayComeBack = code === 'TOO_MANY_REQUESTS' || code === 'SERVICE_UNAVAILABLE'
  const retryAfter = problem.retryAfter ?? (mayComeBack ? 1 : undefined)
  if (retryAfter !== undefined && !reply.hasHeader('retry-after'))
    reply.header('retry-after', String(retryAfter))
  return problem
}
