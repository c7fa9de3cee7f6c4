import { Readable } from 'node:stream'
import { notBegun, type OutgoingContent } from '../../ports/http-client-port.ts'
import type { OutgoingRequest } from '../../ports/known-types.ts'
import { HttpClientError } from './http-client-error.ts'

/**
 * The body of a request, which asks when it is read whether the request may begin: the library reads it when the connection stands, and
 * sends nothing before it has its first piece. Undefined where there is no body to wait for.
 */
export function contentOnce(
  mayBegin: () => boolean,
  { body, bytes }: OutgoingRequest,
): OutgoingContent | undefined {
  const content = Buffer.from(bytes ?? body ?? '')
  if (content.length === 0) return undefined
  return {
    bytes: content.length,
    open: () =>
      new Readable({
        read() {
          if (!mayBegin())
            return void this.destroy(new HttpClientError('It was not to begin any more', { code: notBegun }))
          this.push(content)
          this.push(null)
        },
      }),
  }
}
