import { wholeDefinition } from '../../../support/conformance.ts'
import type { Json, Row } from '../world.ts'
import { bubble, textInput, variable } from './flows.ts'

const question: Json = {
  id: 'q',
  type: 'openai',
  options: {
    action: 'Create chat completion',
    model: 'tiny',
    messages: [{ role: 'user', content: 'Hello' }],
    responseMapping: [{ variableId: 'vT' }],
  },
}

const event = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

/** A session that streams what a model's server says. */
export const stream = (
  name: string,
  text: () => string,
  { version, block = question }: { readonly version?: 'v1' | 'v2'; readonly block?: Json } = {},
): Row => ({
  name,
  async prepare(world) {
    world.other.answerWith(text(), 'text/event-stream')
    const blocks = [block, bubble('b', '{{T}}'), textInput('last')]
    const flow = wholeDefinition({ id: 'draft', blocks, variables: [variable('T')] })
    const sessionId = await world.preview(flow, { isStreamEnabled: true })
    return () => world.stream(sessionId, version)
  },
})

const most = 5_000_000

const manyPieces = () => event('a').repeat(60_000)

/** The same as a text, for clients of the other API. */
export const streamedText = stream('a stream of small pieces, as a text', manyPieces, { version: 'v1' })

/** What a model's server may stream. */
export const streams: readonly Row[] = [
  stream('line ends', () => '\n'.repeat(most)),
  stream('carriage returns', () => '\r\n'.repeat(most / 2)),
  stream('comments', () => ':\n'.repeat(most / 2)),
  stream('data without anything in it', () => 'data\n'.repeat(most / 5)),
  stream('other fields', () => 'id: 1\n'.repeat(most / 6)),
  stream('one line', () => `data: ${'x'.repeat(most)}\n\n`),
  stream('small pieces', manyPieces),
  stream('empty pieces', () => event('').repeat(90_000)),
  stream('one piece', () => event('x'.repeat(1_000_000))),
  {
    name: 'an answer in one go',
    async prepare(world) {
      const content = 'x'.repeat(2_000_000)
      world.other.answerWith(JSON.stringify({ choices: [{ message: { content } }] }))
      const blocks = [textInput('first'), question, textInput('last')]
      const flow = wholeDefinition({ id: 'draft', blocks, variables: [variable('T')] })
      const sessionId = await world.preview(flow)
      return () => world.say(sessionId, { type: 'text', text: 'go' })
    },
  },
]
