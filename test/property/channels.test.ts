import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChannelName, channels } from '../../schemas/channel.ts'
import type { UserMessage } from '../../schemas/user-message.ts'
import { readSaid } from '../../src/channels/options.ts'
import type { ApiRequest } from '../../src/channels/outgoing.ts'
import { renderAnswer } from '../../src/channels/render-answer.ts'
import { channelWordsOf } from '../../src/channels/words.ts'
import type { UserInput } from '../../src/engine/model/step.ts'
import { arbitraryFlow } from '../support/arbitrary-flow.ts'
import type { Json } from '../support/json.ts'
import { messengerProblems } from '../support/providers/messenger-problems.ts'
import { readMarks } from '../support/providers/whatsapp.ts'
import { repliesOfPage } from '../support/replies-of-page.ts'
import { type Walked, walkFlow } from '../support/walk-flow.ts'

const words = channelWordsOf({})
const page = 'https://flows.example/f/x'
const channel = fc.constantFrom(...channels)

const answerOf = ({ output }: Walked) => ({
  messages: output.messages.map(({ value }) => value),
  input: output.input?.value,
  clientSideActions: output.actions.map(({ value }) => value),
})

const termsFor = (on: ChannelName) => ({ channel: on, words, turn: 7, page })

function requestsFor(walked: Walked, on: ChannelName): ApiRequest[] {
  return renderAnswer(answerOf(walked), termsFor(on)).flatMap(({ request }) => request ?? [])
}

const start = (definition: Json) => walkFlow(definition, { textBubbleContentFormat: 'richText' })

/** Everything in a message that can be pressed, in order, and the lines that can be named by their number. */
function offeredBy(requests: readonly ApiRequest[]) {
  const bodies = JSON.parse(JSON.stringify(requests)) as { body: Json }[]
  const presses: { id: string; label: string }[] = []
  const numbers: string[] = []
  const look = (value: unknown): void => {
    if (typeof value === 'string')
      numbers.push(...[...value.matchAll(/^[*\u200a ]*(\d+)\. /gm)].map(([, number = '']) => number))
    if (typeof value !== 'object' || value === null) return
    const { id, title, description, text, callback_data: data } = value as Readonly<Record<string, string>>
    if (id !== undefined && title !== undefined)
      presses.push({ id, label: description?.startsWith(title.slice(0, -1)) ? description : title })
    if (data !== undefined && text !== undefined) presses.push({ id: data, label: text })
    Object.values(value).forEach(look)
  }
  look(bodies)
  return { presses, numbers }
}

const inputOf = (message: UserMessage | null | undefined): UserInput | undefined => {
  if (message === null || message === undefined) return undefined
  if (typeof message === 'string') return { type: 'text', text: message }
  const { metadata, ...rest } = message as { type: 'text'; text: string; metadata?: { replyId?: string } }
  return { ...rest, ...(metadata?.replyId !== undefined && { replyId: metadata.replyId }) }
}

const outcomeOf = ({ output }: Walked) => ({
  answers: output.answers,
  messages: output.messages.map(({ value }) => value),
})

const letters = fc.constantFrom(
  'a',
  'Ünï',
  '👩‍👩‍👧‍👦',
  '*b*',
  '_',
  '~x~',
  '`',
  ' ',
  '\n',
  '1. ',
  '> ',
  '- ',
  'https://a.example/_b_',
  'e\u0301',
  'word ',
)
const textOf = (maxLength: number) =>
  fc.array(letters, { maxLength }).map((parts) => parts.join('').replaceAll('{{', ''))
const label = fc.oneof(textOf(4), textOf(12), textOf(60))
const named = fc.oneof(
  textOf(8).map((text) => `x${text}`),
  textOf(40).map((text) => `x${text}`),
)
const url = fc.constantFrom(
  'https://a.example/p.png',
  'https://a.example/p.gif',
  'https://a.example/i?x=1',
  'data:image/png;base64,AA',
  '',
)
const ided = (item: Json) =>
  fc
    .array(fc.record(item as never), { maxLength: 14 })
    .map((all) => all.map((one, at) => ({ id: `i${at}`, ...(one as Json) })))

const input = fc.oneof(
  ided({ content: named }).map((items) => ({ type: 'choice input', items })),
  ided({ title: label, description: label, pictureSrc: url, value: fc.constant('v') }).map((items) => ({
    type: 'picture choice input',
    items,
  })),
  ided({ title: named, description: label, imageUrl: url, paths: fc.array(named, { maxLength: 5 }) }).map(
    (items) => ({
      type: 'cards',
      items: items.map((item, at) => ({
        ...item,
        paths: ((item as Json)['paths'] as string[]).map((text, nth) => ({ id: `p${at}-${nth}`, text })),
      })),
    }),
  ),
  fc
    .record({
      length: fc.integer({ min: 1, max: 120 }),
      buttonType: fc.constantFrom('Icons', 'Numbers'),
      labels: fc.constant({ left: 'bad', right: 'good' }),
    })
    .map((options) => ({ type: 'rating input', options })),
)

const mark = fc.record({
  text: textOf(30),
  bold: fc.boolean(),
  italic: fc.boolean(),
  strikethrough: fc.boolean(),
  code: fc.boolean(),
  underline: fc.boolean(),
})
const blocksOfText = fc.array(
  fc.record({
    type: fc.constantFrom('p', 'h2', 'blockquote', 'ul', 'code_block', 'a'),
    url: fc.constant('https://a.example/_x_'),
    children: fc.array(mark, { maxLength: 5 }),
  }),
  { maxLength: 6 },
)

const asking = (asked: Json, richText: unknown = []) => ({
  blocks: [
    { id: 'b', type: 'text', content: { richText } },
    { id: 'q', ...asked },
    { id: 'then', type: 'text', content: { richText: [{ type: 'p', children: [{ text: 'then' }] }] } },
  ],
})

describe('any answer on a messenger', () => {
  it('is made of messages that the messenger takes, whatever the flow', () => {
    fc.assert(
      fc.property(arbitraryFlow, channel, (definition, on) => {
        for (const request of requestsFor(start(definition as Json), on))
          expect(messengerProblems[on](request as never), JSON.stringify(request)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('is made of messages that the messenger takes, whatever the texts, pictures and choices', () => {
    fc.assert(
      fc.property(input, blocksOfText, channel, fc.boolean(), (asked, richText, on, join) => {
        const answer = answerOf(start(asking(asked, richText)))
        for (const { request } of renderAnswer(answer, { ...termsFor(on), join }))
          if (request) expect(messengerProblems[on](request as never), JSON.stringify(request)).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  it('can be answered by a press or a number wherever a page has a button', () => {
    fc.assert(
      fc.property(input, channel, (asked, on) => {
        const flow = asking(asked)
        const shown = answerOf(start(flow)).input
        if (!shown) return
        const offered = offeredBy(requestsFor(start(flow), on))
        const replies = repliesOfPage(shown)
        for (const [index, reply] of replies.entries()) {
          const press = offered.presses.find(({ id }) => id === `r:7:${index}`)
          const isWritten = shown.type === 'rating input' || offered.numbers.includes(String(index + 1))
          const written = shown.type === 'rating input' ? String(reply) : String(index + 1)
          if (!press) expect(isWritten, `option ${index} is not offered`).toBe(true)
          const said = press ? { press: press.id } : { text: written }
          const meaning = readSaid(said, { ...termsFor(on), input: shown })
          if (!('reply' in meaning)) throw new Error('a press of this turn is stale')
          const byPage = outcomeOf(start(flow).reply(inputOf(reply)))
          expect(outcomeOf(start(flow).reply(inputOf(meaning.reply)))).toEqual(byPage)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('never formats what is no formatting of the author, on WhatsApp', () => {
    fc.assert(
      fc.property(textOf(40), (text) => {
        const answer = {
          messages: [
            {
              id: 'b',
              type: 'text',
              content: { type: 'richText', richText: [{ type: 'p', children: [{ text }] }] },
            },
          ],
        }
        for (const { request } of renderAnswer(answer as never, { ...termsFor('whatsapp') })) {
          const { text: sent } = (request as { body: unknown }).body as { text: { body: string } }
          expect(
            readMarks(sent.body).flatMap(({ looks }) => looks),
            sent.body,
          ).toEqual([])
        }
      }),
      { numRuns: 400 },
    )
  })
})
