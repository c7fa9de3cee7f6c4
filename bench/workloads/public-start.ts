import type { Json } from '../../test/fixtures/short-flows.ts'
import type { Load } from '../support/load.ts'
import { post } from '../support/post.ts'
import { startService } from '../support/service.ts'
import { startYardstick } from '../support/yardsticks.ts'
import {
  clientScriptFlow,
  decisionFlow,
  expressionFlow,
  javascriptFlow,
  prefilled,
  staticFlow,
  variablesFlow,
} from './flows.ts'
import type { Workload } from './workload.ts'

export const publicStarts: readonly Workload[] = [
  start('static flow, log off', staticFlow, { variables: { LOG_LEVEL: 'warn' } }),
  start('static flow', staticFlow),
  start('variables', variablesFlow, { body: prefilled }),
  start('variables, condition, set variable', decisionFlow, { body: prefilled }),
  start('the same and a client-side script', clientScriptFlow, { body: prefilled }),
  start('the same and a simple expression', expressionFlow, { body: prefilled }),
  start('the same and code for the sandbox', javascriptFlow, { body: prefilled }),
]

/** The service beside both yardsticks, which answer what it answers. */
function start(
  name: string,
  flow: Json,
  { body = {}, variables = {} }: { body?: Json; variables?: Readonly<Record<string, string>> } = {},
): Workload {
  return {
    name: `public-start: ${name}`,
    async prepare({ node }) {
      const path = `/v1/flows/${flow['publicId']}/startChat`
      const request = { path, body: JSON.stringify(body) }
      const load: Load = { connections: 32, requests: () => [request] }
      const service = await startService([flow], { node, variables })
      const answer = await post(service.address, path, body)
      const bare = await startYardstick('bare', answer, { node })
      const fastify = await startYardstick('fastify', answer, { node })
      return {
        contestants: [
          { name: 'service', server: service, load },
          { name: 'bare node:http', server: bare, load },
          { name: 'plain Fastify', server: fastify, load },
        ],
        servers: [service, bare, fastify],
      }
    },
  }
}
