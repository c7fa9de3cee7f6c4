import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { TSchema } from '@sinclair/typebox'
import fastify, { type FastifyInstance, type FastifySchema, type RouteOptions } from 'fastify'
import { blockUnion } from '../../../schemas/blocks/index.ts'
import { FlowDefinition } from '../../../schemas/flow.ts'
import { createComponents } from './components.ts'

const outline = {
  openapi: '3.1.0',
  info: {
    title: 'Flow runtime',
    version: '1.0.0',
    description:
      'Holds conversations with flows: tells what to show, and takes what is said. Everything is JSON.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  tags: [
    { name: 'Chat', description: 'Conversations' },
    { name: 'Uploads', description: 'Files that visitors send' },
    { name: 'Results', description: 'What conversations led to, for the operator' },
    { name: 'Flows', description: 'What has become of the flow files, for the operator' },
    { name: 'Service', description: 'The state of the service' },
  ],
  components: {
    securitySchemes: {
      previewToken: { type: 'http', scheme: 'bearer', description: 'The preview token of the operator' },
      metricsToken: { type: 'http', scheme: 'bearer', description: 'The metrics token of the operator' },
      mcpToken: { type: 'http', scheme: 'bearer', description: 'A token of the operator for assistants' },
      adminToken: { type: 'http', scheme: 'bearer', description: 'The admin token of the operator' },
    },
  },
} satisfies FastifyDynamicSwaggerOptions['openapi']

/** Facts about the service that a description tells. */
export interface DescriptionTerms {
  readonly publicUrl: string | undefined
  readonly ownBlockSchemas: readonly TSchema[]
}

/** The part of a route that its description is made of. */
export type DescribedRoute = Pick<RouteOptions, 'method' | 'url' | 'schema'>

/**
 * A server that answers with the description of these routes at /docs/json, and with a page that shows it at /docs. It
 * never listens: requests are injected. Nothing else loads the packages that it needs.
 */
export async function createDescriptionServer(
  routes: readonly DescribedRoute[],
  { publicUrl, ownBlockSchemas }: DescriptionTerms,
): Promise<FastifyInstance> {
  const app = fastify({ exposeHeadRoutes: true })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  // An address without a host is that of whichever server sends the document.
  const openapi = { ...outline, servers: [{ url: publicUrl ?? '/' }] }
  await app.register(swagger, { openapi, convertConstToEnum: false, ...transforms(ownBlockSchemas) })
  await app.register(swaggerUi, { routePrefix: '/docs' })
  for (const { method, url, schema } of routes) {
    app.route({ method, url, ...(schema && { schema }), handler: (_request, reply) => reply.callNotFound() })
  }
  await app.ready()
  return app
}

/** The part of a description that is rewritten. */
interface Description {
  readonly components: object
  readonly paths: Record<string, { readonly post?: { readonly requestBody?: RequestBody } }>
}

interface RequestBody {
  readonly content: Record<string, { readonly schema?: { readonly required?: readonly string[] } }>
}

/** Named schemas become components, and bodies in which nothing has to stand may be missing. */
function transforms(
  own: readonly TSchema[],
): Pick<FastifyDynamicSwaggerOptions, 'transform' | 'transformObject'> {
  const components = createComponents({ FlowDefinition }, own.length === 0 ? {} : { Block: blockUnion(own) })
  return {
    transform: ({ schema, url }) => ({ schema: components.takeApart(schema) as FastifySchema, url }),
    transformObject: (document) => {
      const { openapiObject } = document as { openapiObject: Description }
      Object.assign(openapiObject.components, { schemas: components.schemas })
      for (const { post } of Object.values(openapiObject.paths)) {
        if (post?.requestBody) Object.assign(post.requestBody, { required: isNeeded(post.requestBody) })
      }
      return openapiObject as object
    },
  }
}

function isNeeded({ content }: RequestBody): boolean {
  return Object.values(content).some(({ schema }) => schema?.required !== undefined)
}
