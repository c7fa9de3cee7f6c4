import { wholeDefinition } from '../../../support/conformance.ts'
import type { Json, Row, World } from '../world.ts'
import { filled } from './bodies.ts'
import { bubble, textInput, times } from './flows.ts'
import { streamedText } from './streams.ts'

const mebibyte = 1024 * 1024

/** What a file may have, and a form a little more. */
const mostOfFile = 10 * mebibyte

/** A published flow that waits for another system. */
export const listening = wholeDefinition({
  id: 'listening',
  blocks: [{ id: 'hook', type: 'webhook' }, textInput('last')],
})

/** A session that waits for a file, and the address that takes it. */
async function offerOf(world: World): Promise<string> {
  const flow = wholeDefinition({ id: 'draft', blocks: [{ id: 'f', type: 'file input' }] })
  const sessionId = await world.preview(flow)
  const { body } = await world.post('/v3/generate-upload-url', { sessionId, fileType: 'image/png' })
  return String(body['presignedUrl'])
}

const part = (name: string, head = '') =>
  `--x\r\ncontent-disposition: form-data; name="${name}"; filename="a.png"\r\n${head}\r\n`

const end = '\r\n--x--\r\n'

const fill = (text: string, length = mostOfFile - 1024) => text.repeat(Math.floor(length / text.length))

const form = (name: string, text: () => string): Row => ({
  name,
  async prepare(world) {
    const address = await offerOf(world)
    const made = text()
    return () => world.sendForm(address, made)
  },
})

/** A draft under the name of the other API. */
const typebot = (name: string, flow: () => Json): Row => ({
  name,
  prepare(world) {
    const made = JSON.stringify({ typebot: wholeDefinition({ id: 'draft', ...flow() }) })
    return () => world.post('/api/v1/typebots/draft/preview/startChat', made)
  },
})

/** As many levels as fit into a body. */
const deep = (name: string, path: string, body: (nested: string) => string): Row => ({
  name,
  prepare(world) {
    const half = mebibyte / 2 - 64
    const made = body('['.repeat(half) + ']'.repeat(half))
    return () => world.post(path, made)
  },
})

/** What clients of the other API may send, where they are served. */
export const otherClients: readonly Row[] = [
  form('a form of one file', () => part('file') + fill('x') + end),
  form('a form of line ends', () => part('file') + fill('\r\n') + end),
  form('a form of half boundaries', () => part('file') + fill('\r\n--') + end),
  form('a form of nearly boundaries', () => part('file') + fill('\r\n--y') + end),
  form('a form that begins late', () => fill('\r\n') + part('file') + end),
  form(
    'a form of fields',
    () => times(5_000, (nth) => part(`f${nth}`) + fill('y', 2_000)).join('\r\n') + end,
  ),
  form('a form of parts without anything', () => times(100_000, () => part('p')).join('\r\n') + end),
  form('a form of headers', () => part('file', times(200_000, (nth) => `h${nth}: v\r\n`).join('')) + end),
  form('a form of one header', () => part('file', `h: ${fill('v')}\r\n`) + end),
  typebot('a draft of inputs', () => ({ blocks: times(44_000, (nth) => textInput(`i${nth}`)) })),
  typebot('a draft of one text', () => ({ blocks: [bubble('b', fill('x', 7 * mebibyte)), textInput('i')] })),
  typebot('a draft of nulls', () => ({
    blocks: times(38_000, (nth) => ({
      ...textInput(`i${nth}`),
      outgoingEdgeId: null,
      options: { labels: null },
    })),
  })),
  deep(
    'logs of a client that nest deep',
    '/api/v1/sessions/none/clientLogs',
    (nested) => `{"clientLogs":[{"description":"x","details":${nested}}]}`,
  ),
  deep(
    'a draft in a message that nests deep',
    '/api/v1/sendMessage',
    (nested) => `{"startParams":{"typebot":${nested}}}`,
  ),
  {
    name: 'a draft in a message',
    prepare(world) {
      const blocks = times(5_500, (nth) => ({ ...textInput(`i${nth}`), outgoingEdgeId: null }))
      const startParams = { typebot: wholeDefinition({ id: 'draft', blocks }) }
      const made = JSON.stringify({ startParams })
      return () => world.post('/api/v1/sendMessage', made)
    },
  },
  {
    name: 'addresses of files in a message',
    prepare(world) {
      const address = `/uploads/${'a'.repeat(32)}/b.png/public/results/`
      const message = fill(address, 900_000)
      return () => world.post('/api/v1/sendMessage', { message, startParams: { typebot: 'none' } })
    },
  },
  {
    name: 'details of logs',
    prepare(world) {
      const begin = '{"clientLogs":[{"description":"x","details":['
      const made = filled(() => '"abc",', { begin, end: '0]}]}' })
      return () => world.post('/api/v1/sessions/none/clientLogs', made)
    },
  },
  streamedText,
  {
    name: 'a call of a webhook with eight sockets beside it',
    async prepare(world) {
      const started = await Promise.all(
        times(5, () => world.post('/api/v1/typebots/listening/startChat', {})),
      )
      const [resultId, ...others] = started.map(({ body }) => String(body['resultId']))
      await world.openRooms([...times(4, () => String(resultId)), ...others])
      const payload = `{"list":[${fill('[],', 250_000)}0]}`
      return () => world.post(`/v1/flows/listening/blocks/hook/results/${resultId}/executeWebhook`, payload)
    },
  },
]
