import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '../../schemas/type.ts'
import { UploadParams } from '../../schemas/upload.ts'
import { rawBody } from '../http/request/body/raw-body.ts'
import type { Server } from '../http/types.ts'
import { ServiceError } from '../lib/errors.ts'
import type { Uploads } from '../uploads/uploads-service.ts'

/** Far more than any client sends beside its file. */
const limits = { files: 1, fields: 32, fieldNameSize: 100, fieldSize: 16 * 1024, parts: 33, headerPairs: 16 }

const InQuery = Type.Object({ token: Type.String() })

/**
 * The upload of a form with a part `file`: to the address that takes bytes as well, and with its token in the query to the
 * address of the file, as the first clients go by.
 */
export function receiveForm(app: Server, { uploads }: { readonly uploads: Uploads }): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined))
  const receive = async (token: string, request: FastifyRequest, reply: FastifyReply) => {
    const form = readForm(request)
    try {
      await uploads.receive(token, form.file)
    } finally {
      form.close()
    }
    return reply.code(204).send(null)
  }
  const config = { arrivesSlowly: true } as const
  app.post('/uploads/:token', { schema: { params: UploadParams }, config }, (request, reply) =>
    receive(request.params.token, request, reply),
  )
  for (const url of ['/uploads/:owner/:name', '/uploads/private/:owner/:name']) {
    app.post(url, { schema: { querystring: InQuery }, config }, (request, reply) =>
      receive(request.query.token, request, reply),
    )
  }
}

interface ReadForm {
  /** The bytes of the file. Throws BAD_REQUEST for a form that is none, or has no such part. */
  readonly file: AsyncIterable<Uint8Array>
  /** Lets the rest of the body go. */
  close(): void
}

function readForm(request: FastifyRequest): ReadForm {
  const parser = openParser(request)
  const end = new AbortController()
  const part = new Promise<Readable>((resolve, reject) => {
    let isFound = false
    parser.on('file', (name, stream) => {
      // A part that breaks off emits its error once, maybe before it has a reader, and then ends like a whole one.
      stream.on('error', (cause) => stream.destroy(cause))
      isFound ||= name === 'file'
      if (name === 'file') resolve(stream)
      else stream.resume()
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => {
        // Fields behind the file are not read for long.
        if (isFound) return
        reject(new ServiceError('BAD_REQUEST', 'The form has too many parts before its file'))
        end.abort()
      })
    }
    parser.on('finish', () => reject(new ServiceError('BAD_REQUEST', 'The form has no part "file"')))
    parser.on('error', (cause) => reject(malformed(cause)))
    feed(request, parser, end.signal).catch((cause) => {
      if (!end.signal.aborted) reject(cause)
      parser.destroy(cause)
    })
  })
  // It may be refused for its address before anything is read.
  part.catch(() => undefined)
  return {
    file: bytesOf(part, parser),
    close: () => end.abort(),
  }
}

function openParser({ headers }: FastifyRequest): BusboyInstance {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits })
  } catch (cause) {
    throw malformed(cause)
  }
}

/** Hands over as much as is taken. */
async function feed(request: FastifyRequest, parser: BusboyInstance, signal: AbortSignal): Promise<void> {
  for await (const chunk of rawBody(request)) {
    signal.throwIfAborted()
    if (!parser.write(chunk)) await once(parser, 'drain', { signal })
  }
  parser.end()
}

async function* bytesOf(part: Promise<Readable>, parser: BusboyInstance): AsyncGenerator<Uint8Array> {
  const stream = await part
  // A caller that hangs up ends the parser, which leaves its parts as they are.
  parser.once('close', () => stream.readableEnded || stream.destroy(new Error('the form has ended')))
  try {
    yield* stream
  } catch (cause) {
    throw malformed(cause)
  }
}

function malformed(cause: unknown): ServiceError {
  return new ServiceError('BAD_REQUEST', 'The form could not be read', { cause })
}
