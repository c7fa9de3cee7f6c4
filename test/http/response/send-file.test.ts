import { Readable } from 'node:stream'
import fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { type SentFile, sendFile } from '../../../src/http/response/send-file.ts'

/** A server with one file, and what was done with it. */
function serve() {
  const events: string[] = []
  const file: SentFile = {
    name: 'a.png',
    type: 'image/png',
    size: 7,
    isInline: true,
    isPrivate: false,
    read(part) {
      events.push(part ? `read ${part.start} to ${part.end}` : 'read')
      return Readable.from(['content'.slice(part?.start, part && part.end + 1)])
    },
    close: async () => void events.push('close'),
  }
  const app = fastify()
  onTestFinished(() => app.close())
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: (request, reply) => sendFile(file, request, reply),
  })
  return { app, events }
}

it.each([
  ['GET', undefined, 200, 'content', ['read']],
  ['GET', 'bytes=1-2', 206, 'on', ['read 1 to 2']],
  ['HEAD', undefined, 200, '', ['close']],
  ['HEAD', 'bytes=1-2', 200, '', ['close']],
] as const)('%s of %s either reads a file or closes it', async (method, range, status, body, done) => {
  const { app, events } = serve()
  const response = await app.inject({ method, url: '/', headers: { ...(range && { range }) } })
  expect(response.statusCode).toBe(status)
  expect(response.body).toBe(body)
  expect(events).toEqual(done)
})
