import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { WireText } from '../../byte-string.ts'
import { json as jsonType } from '../openapi/response-schemas.ts'
import { together } from './micro-batch.ts'

interface Answer {
  readonly raw: ServerResponse
  readonly json: WireText
}

/** Written one by one, answers would wake whoever reads them one by one. */
const leave = together<Answer>(process.nextTick, ({ raw, json }) => raw.end(json, 'latin1'))

/** Answers a request with finished JSON, which the framework would only count and encode once more. */
export function sendJson(reply: FastifyReply, json: WireText): void {
  const { raw, statusCode } = reply
  const headers = reply.getHeaders() as OutgoingHttpHeaders
  headers['content-type'] = jsonType
  headers['content-length'] = json.length
  raw.writeHead(statusCode, headers)
  reply.hijack()
  leave({ raw, json })
}
