import { wholeDefinition } from '../../../support/conformance.ts'
import type { Json, Row } from '../world.ts'
import { filled } from './bodies.ts'
import { textInput, times, variable } from './flows.ts'

/** Bytes of a response that are taken. */
const most = 5 * 1024 * 1024 - 1024

/** Characters of a response that is read as JSON. */
const longest = 2 * 1024 * 1024

const key = (nth: number) => `"k${nth.toString(36)}":"v",`

const paths = (bodyPath: string, count: number) =>
  times(count, (nth) => ({ id: `m${nth}`, variableId: 'vT', bodyPath }))

interface Read {
  readonly path?: string
  readonly count?: number
  readonly contentType?: string
}

/** A flow that asks another system, and reads from the answer. */
const response = (
  name: string,
  text: () => string,
  { path = 'data.a', count = 1, contentType }: Read = {},
): Row => ({
  name,
  async prepare({ other, preview, say }) {
    other.answerWith(text(), contentType)
    const request: Json = {
      id: 'r',
      type: 'Webhook',
      options: {
        webhook: { url: other.url, method: 'GET' },
        responseVariableMapping: paths(path, count),
      },
    }
    const blocks = [textInput('first'), request, textInput('last')]
    const sessionId = await preview(wholeDefinition({ id: 'draft', blocks, variables: [variable('T')] }))
    return () => say(sessionId, { type: 'text', text: 'go' })
  },
})

/** What other systems may answer. */
export const responses: readonly Row[] = [
  response('different keys', () => filled(key, { begin: '{', end: '"a":1}', length: most })),
  response('different keys in a smaller response', () =>
    filled(key, { begin: '{', end: '"a":1}', length: longest }),
  ),
  response('keys inside each other', () => filled(() => '{"a":', { length: longest })),
  response('lists inside each other', () => '['.repeat(1024 * 1024) + ']'.repeat(1024 * 1024)),
  response('empty lists', () => filled(() => '[],', { begin: '[', end: '0]', length: longest })),
  response('small objects', () =>
    filled((nth) => `{"n":${nth}},`, { begin: '[', end: '0]', length: longest }),
  ),
  ...Object.entries({
    'as many objects as are read': (nth: number) => `{"n":${nth},"m":"${nth}"},`,
    'as many empty objects as are read': () => '{},',
    'as many orders of keys as are read': (nth: number) => `{"k${nth % 1_240}":1,"m":2},`,
  }).map(([name, object]) =>
    response(
      name,
      () => {
        const objects = times(39_900, object).join('')
        return filled(() => '1,', { begin: `{"a":[${objects}`, end: '0]}', length: longest })
      },
      { path: 'data.a.map(item => item.n)' },
    ),
  ),
  response('short texts', () => filled(() => '"",', { begin: '[', end: '0]', length: longest })),
  response('long integers', () =>
    filled((nth) => `9007199254740993${nth},`, { begin: '{"a":[', end: '0]}', length: longest }),
  ),
  response('escapes', () => filled(() => '\\u00e9', { begin: '{"a":"', end: '"}', length: longest })),
  response('quotes that are escaped', () =>
    filled(() => '\\\\\\"', { begin: '{"a":"', end: '"}', length: longest }),
  ),
  response('a long text', () => 'x'.repeat(most), { contentType: 'text/plain', path: 'data' }),
  response(
    'a list that many paths read',
    () => filled((nth) => `{"n":${nth}},`, { begin: '{"a":[', end: '0]}', length: 500_000 }),
    {
      path: 'data.a.map(item => item.n)',
      count: 200,
    },
  ),
  {
    name: 'a response that a client sends back',
    async prepare({ preview, say }) {
      const request: Json = {
        id: 'r',
        type: 'Webhook',
        options: {
          isExecutedOnClient: true,
          webhook: { url: 'https://a.example', method: 'GET' },
          responseVariableMapping: paths('data.a', 1),
        },
      }
      const sessionId = await preview(
        wholeDefinition({ id: 'draft', blocks: [request, textInput('last')], variables: [variable('T')] }),
      )
      const data = filled(key, { begin: '{"statusCode":200,"data":{', end: '"a":1}}', length: 650_000 })
      return () => say(sessionId, { type: 'text', text: data })
    },
  },
]
