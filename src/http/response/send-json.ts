import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { ByteString } from '../../lib/byte-string.ts'
import { json as jsonType } from '../openapi/response-schemas.ts'
import { createMicroBatch } from './micro-batch.ts'
import type { UnreadAnswers } from './unread-answers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly unreadAnswers: UnreadAnswers
  }
}

interface Answer {
  readonly raw: ServerResponse
  readonly json: ByteString
  readonly unread: UnreadAnswers
}

/** Bytes of a piece of a long answer: each is written when the one before was read, so that it shows who reads. */
const pieceBytes = 64 * 1024

/** Written one by one, responses would wake their readers one by one. */
const leave = createMicroBatch<Answer>(process.nextTick, ({ raw, json, unread }) => {
  if (json.length > pieceBytes) writePieces(raw, json)
  else raw.end(json, 'latin1')
  if (!raw.writableFinished) unread.hold(raw, json.length)
})

function writePieces(raw: ServerResponse, json: ByteString): void {
  let start = 0
  function writeNext(): void {
    let isTaken = true
    while (isTaken && start + pieceBytes < json.length) {
      isTaken = raw.write(json.slice(start, start + pieceBytes), 'latin1')
      start += pieceBytes
    }
    if (isTaken) raw.end(json.slice(start), 'latin1')
    else raw.once('drain', writeNext)
  }
  writeNext()
}

/** Answers a request with finished JSON, which the framework would only count and encode once more. */
export function sendJson(reply: FastifyReply, json: ByteString): void {
  const { raw, statusCode } = reply
  const headers = reply.getHeaders() as OutgoingHttpHeaders
  headers['content-type'] = jsonType
  headers['content-length'] = json.length
  raw.writeHead(statusCode, headers)
  reply.hijack()
  leave({ raw, json, unread: reply.server.unreadAnswers })
}
