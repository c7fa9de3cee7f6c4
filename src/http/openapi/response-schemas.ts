import type { TSchema } from '@sinclair/typebox'
import { ErrorBody } from '../../../schemas/error.ts'
import { Type } from '../../../schemas/type.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import { errorStatus } from '../response/problem-details.ts'

/** The content type of what succeeds. */
export const json = 'application/json; charset=utf-8'

/** Documents the 200 of a route. Nothing is serialised by the schema: what a route sends is finished. */
export function success(description: string, schema: TSchema) {
  return { 200: { description, content: { 'application/json': { schema } } } }
}

const meanings: Record<ErrorCode, string> = {
  BAD_REQUEST: 'The request is not valid',
  UNAUTHORIZED: 'The token is missing or wrong',
  FORBIDDEN: 'The origin is not allowed, or the operation is off',
  NOT_FOUND: 'There is no such flow, session or record',
  METHOD_NOT_ALLOWED: 'The address does not know the method',
  REQUEST_TIMEOUT: 'The body did not arrive in time',
  CONFLICT: 'The state does not allow it, or a request with this Idempotency-Key is being answered',
  PRECONDITION_FAILED:
    'The session has gone on: `input` is what it waits for now, `etag` its present version',
  PAYLOAD_TOO_LARGE: 'The body is too large',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not JSON',
  UNPROCESSABLE_CONTENT: 'The Idempotency-Key was used with another request',
  TOO_MANY_REQUESTS:
    'Too many requests come from this address or wait for this session, or the session has asked too often',
  HEADERS_TOO_LARGE: 'The headers are too large',
  INTERNAL_SERVER_ERROR: 'Something went wrong inside',
  SERVICE_UNAVAILABLE:
    'The service is starting or shutting down, has too much to do, or cannot reach what it needs',
}

/** The errors that every route may return. */
export const anyFailures = ['BAD_REQUEST', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'] as const

/** Of a route that reads a body of JSON. */
export const bodyFailures = [...anyFailures, 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const

/** Of a route whose requests may be repeated. */
export const repeatableFailures = [...bodyFailures, 'CONFLICT', 'UNPROCESSABLE_CONTENT'] as const

/** Of a route about what belongs to the operator. */
export const operatorFailures = [...anyFailures, 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const

/** Documents the errors of a route, all of them problem documents. */
export function failures(...codes: ErrorCode[]) {
  return Object.fromEntries(
    codes.map((code) => [
      errorStatus[code],
      {
        description: meanings[code],
        ...((code === 'TOO_MANY_REQUESTS' || code === 'SERVICE_UNAVAILABLE') && { headers: comeBack }),
        content: { 'application/problem+json': { schema: ErrorBody } },
      },
    ]),
  )
}

const comeBack = {
  'retry-after': Type.String({ description: 'Seconds after which the request is worth repeating' }),
}
