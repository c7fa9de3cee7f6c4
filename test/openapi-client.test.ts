import { describe, expect, it } from 'vitest'
import { generateClient, type Transport } from './support/openapi-client.ts'
import type { Description } from './support/openapi-document.ts'

const parameter = (name: string, place: string, more: object = {}) => ({
  name,
  in: place,
  schema: { type: 'string' },
  ...more,
})

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const refersTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** A service that keeps pets. */
const document = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['name'],
        additionalProperties: false,
        properties: { name: { type: 'string' }, friends: { type: 'array', items: refersTo('Pet') } },
      },
      Problem: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
    },
  },
  paths: {
    '/pets/{owner}': {
      post: {
        operationId: 'addPet',
        parameters: [
          parameter('owner', 'path', { required: true }),
          parameter('limit', 'query', { schema: { type: 'integer', maximum: 9 } }),
          parameter('request-name', 'header', { schema: { type: 'string', minLength: 3 } }),
        ],
        requestBody: { required: true, ...json(refersTo('Pet')) },
        responses: {
          200: { headers: { 'is-new': { schema: { const: 'true' } } }, ...json(refersTo('Pet')) },
          404: { content: { 'application/problem+json': { schema: refersTo('Problem') } } },
        },
      },
      delete: {
        operationId: 'removePets',
        security: [{}, { keeper: [] }],
        parameters: [parameter('owner', 'path', { required: true })],
        responses: { 202: {}, 204: {} },
      },
    },
    '/photo': {
      put: {
        operationId: 'putPhoto',
        requestBody: { content: { 'application/octet-stream': { schema: { type: 'string' } } } },
        responses: { 204: {} },
      },
      get: { operationId: 'getPhoto', responses: { 200: { content: { '*/*': {} } } } },
    },
  },
} satisfies Description & Record<string, unknown>

type Name = 'addPet' | 'removePets' | 'putPhoto' | 'getPhoto'

/** A client of a service that always answers the same, and the requests that reached it. */
function clientOf(answer: () => Response, transport: Partial<Transport> = {}) {
  const requests: Request[] = []
  const send = async (request: Request) => {
    requests.push(request)
    return answer()
  }
  return {
    requests,
    ...generateClient<Name>(document, { address: 'http://pets.example', send, ...transport }),
  }
}

const answering =
  (body: unknown, type = 'application/json', init: ResponseInit = {}) =>
  () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), {
      ...init,
      headers: { 'content-type': type, ...init.headers },
    })

const rex = { name: 'Rex' }
const call = { parameters: { owner: 'ada' }, body: rex }
const empty = () => new Response(null, { status: 204 })

describe('a generated client', () => {
  it('puts parameters and the body where the document says', async () => {
    const { addPet, requests } = clientOf(answering(rex))
    const parameters = { owner: 'a/b', limit: 3, 'request-name': 'first' }
    expect(await addPet({ parameters, body: rex })).toMatchObject({ status: 200, body: rex })
    const [request] = requests
    expect(request?.method).toBe('POST')
    expect(request?.url).toBe('http://pets.example/pets/a%2Fb?limit=3')
    expect(request?.headers.get('request-name')).toBe('first')
    expect(request?.headers.get('content-type')).toBe('application/json')
    expect(await request?.json()).toEqual(rex)
  })

  it('shows its token to the operations that ask for one', async () => {
    const { addPet, requests } = clientOf(answering(rex), { tokens: { keeper: 'secret' } })
    await addPet(call)
    const { removePets, requests: removals } = clientOf(empty, { tokens: { keeper: 'secret' } })
    await removePets({ parameters: { owner: 'ada' } })
    expect(requests[0]?.headers.get('authorization')).toBeNull()
    expect(removals[0]?.headers.get('authorization')).toBe('Bearer secret')
  })

  it('sends bytes as they are, and takes any type where the document does', async () => {
    const { putPhoto, requests } = clientOf(empty)
    expect(await putPhoto({ body: Buffer.from('photo') })).toMatchObject({ status: 204, body: undefined })
    expect(requests[0]?.headers.get('content-type')).toBe('application/octet-stream')
    expect(await requests[0]?.text()).toBe('photo')
    const { getPhoto } = clientOf(answering('photo', 'image/png'))
    expect(await getPhoto()).toMatchObject({ body: 'photo' })
  })

  it('hands out refusals that are as described', async () => {
    const { addPet } = clientOf(answering({ code: 'GONE' }, 'application/problem+json', { status: 404 }))
    expect(await addPet(call)).toMatchObject({ status: 404, body: { code: 'GONE' } })
  })
})

describe('a generated client sends no request that', () => {
  it.each<[string, object, string]>([
    ['lacks a parameter', { body: rex }, 'addPet: parameter owner: (whole) must be string'],
    [
      'has a wrong parameter in the query',
      { ...call, parameters: { owner: 'ada', limit: 10 } },
      'addPet: parameter limit: (whole) must be <= 9',
    ],
    [
      'has a wrong header',
      { ...call, parameters: { owner: 'ada', 'request-name': 'a' } },
      'addPet: parameter request-name: (whole) must NOT have fewer than 3 characters',
    ],
    [
      'has a parameter that nobody knows',
      { ...call, parameters: { owner: 'ada', colour: 'red' } },
      'addPet: parameter colour: is not described',
    ],
    ['lacks its body', { parameters: { owner: 'ada' } }, 'addPet: request body: is missing'],
    ['has a wrong body', { ...call, body: { name: 5 } }, 'addPet: request body: /name must be string'],
    [
      'is wrong behind a reference',
      { ...call, body: { name: 'Rex', friends: [{ name: 'Max', age: 3 }] } },
      'addPet: request body: /friends/0 must NOT have additional properties {"additionalProperty":"age"}',
    ],
  ])('%s', async (_name, wrong, message) => {
    const { addPet, requests } = clientOf(answering(rex))
    await expect(addPet(wrong)).rejects.toThrow(message)
    expect(requests).toEqual([])
  })

  it('has a body where none is described', async () => {
    const { removePets, requests } = clientOf(empty)
    const removal = removePets({ parameters: { owner: 'ada' }, body: rex })
    await expect(removal).rejects.toThrow('removePets: request body: is not described')
    expect(requests).toEqual([])
  })
})

describe('a generated client takes no answer that', () => {
  const problem = 'application/problem+json'
  it.each<[string, () => Response, string]>([
    [
      'has an undescribed status',
      answering(rex, 'application/json', { status: 201 }),
      'status 201: is not described',
    ],
    ['has an undescribed type', answering('Rex', 'text/plain'), 'status 200 text/plain: is not described'],
    [
      'has the type of another status',
      answering({ code: 'X' }, problem),
      `status 200 ${problem}: is not described`,
    ],
    ['has a wrong body', answering({ name: 5 }), 'status 200 application/json: /name must be string'],
    [
      'has an unknown field',
      answering({ name: 'Rex', age: 3 }),
      'status 200 application/json: (whole) must NOT have',
    ],
    [
      'is wrong behind a reference',
      answering({ name: 'Rex', friends: [{}] }),
      "status 200 application/json: /friends/0 must have required property 'name'",
    ],
    ['is no JSON', answering('{'), 'status 200 application/json: is no JSON'],
    [
      'has a wrong header',
      answering(rex, 'application/json', { headers: { 'is-new': 'no' } }),
      'status 200 header is-new: (whole) must be equal to constant',
    ],
    [
      'is a problem without a code',
      answering({ message: 'Gone' }, problem, { status: 404 }),
      `status 404 ${problem}: (whole) must have required property 'code'`,
    ],
  ])('%s', async (_name, answer, message) => {
    await expect(clientOf(answer).addPet(call)).rejects.toThrow(`addPet: ${message}`)
  })

  it('has a body where none is described', async () => {
    const { removePets } = clientOf(answering('Gone', 'text/plain', { status: 202 }))
    await expect(removePets({ parameters: { owner: 'ada' } })).rejects.toThrow(
      'removePets: status 202 text/plain: has a body that is not described',
    )
  })
})

describe('a client is not generated from a document that', () => {
  const responses = {}
  it.each<[string, Description['paths'], string]>([
    ['leaves an operation without a name', { '/a': { get: { responses } } }, 'get /a has no operationId'],
    [
      'gives two operations one name',
      { '/a': { get: { operationId: 'a', responses }, post: { operationId: 'a', responses } } },
      'Two operations are called a',
    ],
  ])('%s', (_name, paths, message) => {
    expect(() => generateClient({ paths }, { address: '' })).toThrow(message)
  })
})
