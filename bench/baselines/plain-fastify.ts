import { readFileSync } from 'node:fs'
import cors from '@fastify/cors'
import fastify, { LogController } from 'fastify'
import { pino } from 'pino'

// What the framework costs by itself: the plugins and the log line of the service, and a route that answers the
// object of the file that it is given.

const answer: unknown = JSON.parse(readFileSync(process.argv[2]!, 'utf8'))

const app = fastify({
  loggerInstance: pino(),
  logController: new LogController({ disableRequestLogging: true }),
})
await app.register(cors, { origin: true })
app.addHook('onResponse', (request, reply, done) => {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: reply.elapsedTime,
    },
    'request',
  )
  done()
})
const handler = async () => answer
app.post('/v1/flows/:publicId/startChat', handler)
app.post('/v1/flows/:flowId/preview/startChat', handler)
app.post('/v1/sessions/:sessionId/continueChat', handler)
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
