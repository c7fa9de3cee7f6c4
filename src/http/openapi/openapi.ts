import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifySchema } from 'fastify'
import { FlowDefinition } from '../../../schemas/flow.ts'
import type { Server } from '../types.ts'
import { createComponents } from './components.ts'
import { json } from './response-schemas.ts'

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
      adminToken: { type: 'http', scheme: 'bearer', description: 'The admin token of the operator' },
    },
  },
} satisfies FastifyDynamicSwaggerOptions['openapi']

/** Describes the routes that are registered afterwards: for machines at /openapi.json, for people at /docs. */
export async function describeRoutes(app: Server, publicUrl: string | undefined): Promise<void> {
  // An address without a host is that of whoever serves the document.
  const openapi = { ...outline, servers: [{ url: publicUrl ?? '/' }] }
  await app.register(swagger, { openapi, convertConstToEnum: false, ...transforms() })
  await app.register(swaggerUi, { routePrefix: '/docs' })
  let description: Buffer | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    description ??= Buffer.from(JSON.stringify(app.swagger()))
    return reply.type(json).send(description)
  })
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
function transforms(): Pick<FastifyDynamicSwaggerOptions, 'transform' | 'transformObject'> {
  const components = createComponents({ FlowDefinition })
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
