import type { Socket } from 'node:net'
import { ServiceError } from '../errors.ts'
import { requestIdOf } from './common-headers.ts'
import { problemBody } from './problem.ts'

/** Answers what isn't HTTP, or doesn't arrive in time: there is no request to speak of, only a connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const body = JSON.stringify(problemBody(new ServiceError('BAD_REQUEST', 'The request could not be read')))
    socket.write(
      [
        'HTTP/1.1 400 Bad Request',
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
