import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { errorCodes } from '../../schemas/error.ts'
import { shareTestApp } from '../support/build-test-app.ts'
import type { Json } from '../support/json.ts'

interface Media {
  readonly schema: Json
  readonly examples?: Record<string, { value: unknown }>
}
interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Json[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Record<string, Media> }
  readonly responses: Record<
    string,
    { readonly description: string; readonly content: Record<string, Media> }
  >
  readonly security?: unknown
}
interface OpenApi extends Json {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Json>; readonly securitySchemes: Json }
}

async function readDescription(): Promise<OpenApi> {
  const { app } = await shareTestApp()
  const response = await app.inject('/openapi.json')
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  return response.json()
}

const start = '/v1/flows/{publicId}/startChat'
const continueChat = '/v1/sessions/{sessionId}/continueChat'
const previewStart = '/v1/flows/{flowId}/preview/startChat'

function operationsOf(api: OpenApi): Operation[] {
  return Object.values(api.paths).flatMap((path) => Object.values(path))
}

/** Every object inside a value. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  yield value as Json
  for (const child of Object.values(value)) yield* objectsIn(child)
}

describe('GET /openapi.json', () => {
  it('describes the routes of the service', async () => {
    const api = await readDescription()
    expect(api).toMatchObject({ openapi: '3.1.0', info: { title: 'Flow runtime' } })
    const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(operations.sort()).toEqual([
      'delete /v1/channels/{name}',
      'delete /v1/contacts/{contactId}',
      'delete /v1/flows/{publicId}',
      'delete /v1/flows/{publicId}/results',
      'delete /v1/flows/{publicId}/results/{resultId}',
      'delete /v1/webhooks/{name}',
      'get /health',
      'get /metrics',
      'get /ready',
      'get /uploads/private/{owner}/{name}',
      'get /uploads/{owner}/{name}',
      'get /v1/audit',
      'get /v1/channels',
      'get /v1/channels/{name}',
      'get /v1/channels/{name}/deliveries',
      'get /v1/channels/{name}/webhook',
      'get /v1/contacts/{contactId}',
      'get /v1/contacts/{contactId}/export',
      'get /v1/flows',
      'get /v1/flows/{publicId}',
      'get /v1/flows/{publicId}/analytics',
      'get /v1/flows/{publicId}/analytics/export',
      'get /v1/flows/{publicId}/results',
      'get /v1/flows/{publicId}/results/count',
      'get /v1/flows/{publicId}/results/export',
      'get /v1/flows/{publicId}/results/{resultId}',
      'get /v1/flows/{publicId}/results/{resultId}/recording',
      'get /v1/flows/{publicId}/versions',
      'get /v1/sessions/{sessionId}',
      'get /v1/sessions/{sessionId}/events',
      'get /v1/sessions/{sessionId}/recording',
      'get /v1/sessions/{sessionId}/trace',
      'get /v1/sessions/{sessionId}/transcript',
      'get /v1/webhooks',
      'get /v1/webhooks/{name}',
      'get /v1/webhooks/{name}/deliveries',
      'patch /v1/flows/{publicId}',
      'patch /v1/sessions/{sessionId}',
      'post /mcp',
      'post /v1/channels/{name}/deliveries/{number}/retry',
      'post /v1/channels/{name}/invite',
      'post /v1/channels/{name}/retry',
      'post /v1/channels/{name}/webhook',
      'post /v1/flows/convert',
      'post /v1/flows/render',
      'post /v1/flows/replay',
      'post /v1/flows/test',
      'post /v1/flows/validate',
      'post /v1/flows/{flowId}/blocks/{blockId}/results/{resultId}/executeWebhook',
      'post /v1/flows/{flowId}/preview/startChat',
      'post /v1/flows/{publicId}/results/import',
      'post /v1/flows/{publicId}/rollback',
      'post /v1/flows/{publicId}/startChat',
      'post /v1/flows/{publicId}/validate',
      'post /v1/sessions/{sessionId}/continueChat',
      'post /v1/sessions/{sessionId}/messages',
      'post /v1/sessions/{sessionId}/skipToTimer',
      'post /v1/sessions/{sessionId}/updateFlow',
      'post /v1/webhooks/stripe/{account}',
      'post /v1/webhooks/{name}/deliveries/{number}/retry',
      'post /v1/webhooks/{name}/retry',
      'post /v2/sessions/{sessionId}/clientLogs',
      'post /v2/sessions/{sessionId}/streamMessage',
      'post /v3/generate-upload-url',
      'put /uploads/{token}',
      'put /v1/channels/{name}',
      'put /v1/flows/{publicId}',
      'put /v1/webhooks/{name}',
    ])
  })

  it('names the schemas that readers know by name', async () => {
    const { schemas } = (await readDescription()).components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'FlowDefinition',
        'Block',
        'Settings',
        'Theme',
        'Message',
        'Input',
        'ClientSideAction',
        'Log',
        'UserMessage',
        'ErrorBody',
      ]),
    )
  })

  it('names the answers to a chat and the variants of unions, and where the service is', async () => {
    const api = await readDescription()
    const { schemas } = api.components
    expect(api['servers']).toEqual([{ url: '/' }])
    for (const [path, method, name] of [
      [start, 'post', 'StartChatResponse'],
      [previewStart, 'post', 'StartPreviewChatResponse'],
      [continueChat, 'post', 'ContinueChatResponse'],
      ['/v1/sessions/{sessionId}', 'get', 'SessionResponse'],
    ] as const) {
      const answer = api.paths[path]?.[method]?.responses['200']
      expect(answer?.content['application/json']?.schema).toEqual({ $ref: `#/components/schemas/${name}` })
    }
    const names = Object.keys(schemas).map((name) => name.toLowerCase())
    expect(new Set(names).size).toBe(names.length)
    for (const { oneOf, discriminator } of Object.values(schemas) as {
      oneOf?: { $ref?: string }[]
      discriminator?: { mapping?: Record<string, string> }
    }[]) {
      if (!oneOf || !discriminator) continue
      const mapped = new Set(Object.values(discriminator.mapping ?? {}))
      expect(mapped).toEqual(new Set(oneOf.map(({ $ref }) => $ref)))
    }
    expect(schemas['ErrorBody']).toMatchObject({ properties: { code: { enum: [...errorCodes] } } })
  })

  it('leads every reference to a schema', async () => {
    const api = await readDescription()
    const references = [...objectsIn(api)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
    const known = Object.keys(api.components.schemas).map((name) => `#/components/schemas/${name}`)
    expect(references.length).toBeGreaterThan(20)
    expect(references.filter((reference) => !known.includes(reference))).toEqual([])
    expect([...objectsIn(api)].some((node) => '$id' in node)).toBe(false)
  })

  it.each([
    [start, ['200', '400', '403', '404', '409', '413', '415', '422', '429', '500', '503']],
    [previewStart, ['200', '400', '401', '404', '409', '413', '415', '422', '429', '500', '503']],
    [continueChat, ['200', '400', '403', '404', '409', '412', '413', '415', '422', '429', '500', '503']],
    ['/ready', ['200', '503']],
    ['/health', ['200']],
  ])('documents every status of %s', async (path, statuses) => {
    const api = await readDescription()
    const { responses } = operationsOf({ ...api, paths: { [path]: api.paths[path] ?? {} } })[0] as Operation
    expect(Object.keys(responses)).toEqual(statuses)
    for (const status of statuses.filter((code) => code !== '200')) {
      expect(responses[status]?.content).toEqual({
        'application/problem+json': { schema: { $ref: '#/components/schemas/ErrorBody' } },
      })
    }
  })

  it.each(['/uploads/{owner}/{name}', '/uploads/private/{owner}/{name}'])(
    'tells how to ask for a part of a file: %s',
    async (path) => {
      const get = (await readDescription()).paths[path]?.['get'] as unknown as {
        parameters: { in: string; name: string; required?: boolean }[]
        responses: Record<string, { headers?: object }>
      }
      const range = get.parameters.find(({ name }) => name === 'range')
      expect(range).toMatchObject({ in: 'header' })
      expect(range?.required).not.toBe(true)
      expect(Object.keys(get.responses['206']?.headers ?? {})).toEqual(['accept-ranges', 'content-range'])
    },
  )

  it.each([
    ['put /uploads/{token}', ['204', '400', '403', '408', '409', '413', '429', '500', '503']],
    ['delete /v1/flows/{publicId}/results', ['200', '400', '401', '403', '404', '409', '429', '500', '503']],
    [
      'delete /v1/flows/{publicId}/results/{resultId}',
      ['204', '400', '401', '403', '404', '429', '500', '503'],
    ],
    ['get /v1/flows/{publicId}/results', ['200', '400', '401', '403', '404', '500', '503']],
    ['get /uploads/private/{owner}/{name}', ['200', '206', '400', '401', '403', '404', '500', '503']],
  ])('documents every status of %s too', async (operation, statuses) => {
    const [method = '', path = ''] = operation.split(' ')
    const described = (await readDescription()).paths[path]?.[method]
    expect(Object.keys(described?.responses ?? {})).toEqual(statuses)
  })

  it('says that bodies may be missing, and gives examples of them', async () => {
    const { paths } = await readDescription()
    for (const path of [start, previewStart, continueChat]) {
      const body = paths[path]?.['post']?.requestBody
      expect(body?.required).toBe(false)
      expect(Object.keys(body?.content['application/json']?.examples ?? {}).length).toBeGreaterThan(1)
    }
  })

  it('says that only previews may need a token', async () => {
    const api = await readDescription()
    expect(api.paths[previewStart]?.['post']?.security).toEqual([{}, { previewToken: [] }])
    expect(api.paths[start]?.['post']?.security).toBeUndefined()
    expect(api.paths[continueChat]?.['post']?.security).toBeUndefined()
    expect(api.components.securitySchemes).toMatchObject({ previewToken: { type: 'http', scheme: 'bearer' } })
  })

  it('has an example for each pattern of a request, as the refusal of another value says it', async () => {
    const operations = operationsOf(await readDescription())
    const isShown = ({ example, examples }: Json) => example !== undefined || examples !== undefined
    const unshown = operations.flatMap(({ operationId, parameters = [], requestBody }) => {
      const described = [...parameters.filter((parameter) => !isShown(parameter)), requestBody]
      return [...objectsIn(described)]
        .filter((schema) => typeof schema['pattern'] === 'string' && !isShown(schema))
        .map(({ pattern }) => `${operationId}: ${pattern}`)
    })
    expect(unshown).toEqual([])
  })

  it('gives examples that its own schemas accept', async () => {
    const api = await readDescription()
    const ajv = new Ajv2020({ strict: false, discriminator: false, validateFormats: false })
    ajv.addSchema({ $id: 'openapi', ...api })
    const rebase = (schema: Json) =>
      JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi#/')) as Json
    const shown: [unknown, Json][] = []
    for (const { requestBody, responses } of operationsOf(api)) {
      const media = [requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values(part?.content ?? {}),
      )
      for (const { schema, examples = {} } of media) {
        for (const { value } of Object.values(examples)) shown.push([value, schema])
      }
    }
    for (const schema of [...objectsIn(api)]) {
      if (!Array.isArray(schema['examples'])) continue
      const { examples, ...rest } = schema
      for (const example of examples as unknown[]) shown.push([example, rest])
    }
    expect(shown.length).toBeGreaterThan(20)
    for (const [example, schema] of shown) {
      const isValid = ajv.validate(rebase(schema), example)
      expect({ example, errors: isValid ? [] : ajv.errors }).toEqual({ example, errors: [] })
    }
  })
})

describe('GET /docs', () => {
  it('shows the description to people', async () => {
    const { app } = await shareTestApp()
    const page = await app.inject('/docs/')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    for (const url of ['/docs/', '/openapi.json']) {
      const policy = (await app.inject(url)).headers['content-security-policy']
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
    }
    const script = await app.inject('/docs/static/swagger-initializer.js')
    expect(script.statusCode).toBe(200)
    expect((await app.inject('/docs/json')).json()).toEqual((await app.inject('/openapi.json')).json())
  })
})
