import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ServiceError } from '../../lib/errors.ts'
import { requestIdOf } from './default-headers.ts'
import { errorStatus, problemBody } from './problem-details.ts'

/** Answers what isn't HTTP, or whose head doesn't arrive in time: there is no request to speak of, only a connection. */
export function respondToBrokenRequest({ code }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET') socket.destroy()
  else respondToClientError(refusalOf(code), socket)
}

function refusalOf(code: string | undefined): ServiceError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooLate()
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError('HEADERS_TOO_LARGE', 'The headers of the request are too large')
  return new ServiceError('BAD_REQUEST', 'The request could not be read')
}

/** The error for a request whose head or body takes too long. */
export function tooLate(): ServiceError {
  return new ServiceError('REQUEST_TIMEOUT', 'The request did not arrive in time')
}

/** Writes an error past the framework, as the last that a connection hears. */
export function respondToClientError(error: ServiceError, socket: Socket): void {
  if (socket.writable) {
    const status = errorStatus[error.code]
    const body = JSON.stringify(problemBody(error))
    socket.write(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'content-type: application/problem+json; charset=utf-8',
        `x-request-id: ${requestIdOf({ headers: {} })}`,
        'cache-control: no-store',
        'x-content-type-options: nosniff',
        `content-length: ${Buffer.byteLength(body)}`,
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  }
  socket.destroy()
}
