import { describe, expect, it } from 'vitest'
import type { ChannelName } from '../../schemas/channel.ts'
import { readSaid } from '../../src/channels/options.ts'
import { renderAnswer } from '../../src/channels/render-answer.ts'
import { channelWordsOf } from '../../src/channels/words.ts'
import type { Json } from '../support/json.ts'
import { readMarks, whatsAppProblems } from '../support/providers/whatsapp.ts'

const text = (...children: Json[]): Json => rich({ type: 'p', children })
const rich = (...richText: Json[]): Json => ({
  id: 'b',
  type: 'text',
  content: { type: 'richText', richText },
})
const choice = (labels: readonly string[], options: Json = {}): Json => ({
  id: 'q',
  type: 'choice input',
  items: labels.map((content, index) => ({ id: `i${index}`, content })),
  options,
})
const question = text({ text: 'Which?' })
const many = (count: number) => Array.from({ length: count }, (_, index) => `Choice ${index + 1}`)
const words = channelWordsOf({})

function render(channel: ChannelName, answer: Json, more: Json = {}) {
  const terms = { channel, words, turn: 3, page: 'https://flows.example/f/x', ...more }
  return renderAnswer({ messages: [], ...answer } as never, terms)
}
const bodies = (...args: Parameters<typeof render>) => render(...args).map(({ request }) => request?.body)
const notes = (...args: Parameters<typeof render>) =>
  render(...args).flatMap((one) => one.notes.map(({ code }) => code))

describe('choices', () => {
  it('are buttons below the question where there are few and short ones', () => {
    const answer = { messages: [question], input: choice(['Yes', 'No']) }
    expect(bodies('whatsapp', answer)).toEqual([
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'Which?' },
          action: {
            buttons: [
              { type: 'reply', reply: { id: 'r:3:0', title: 'Yes' } },
              { type: 'reply', reply: { id: 'r:3:1', title: 'No' } },
            ],
          },
        },
      },
    ])
    expect(bodies('telegram', answer)).toEqual([
      {
        text: 'Which?',
        reply_markup: {
          inline_keyboard: [
            [
              { text: 'Yes', callback_data: 'r:3:0' },
              { text: 'No', callback_data: 'r:3:1' },
            ],
          ],
        },
      },
    ])
  })

  it('are a list on WhatsApp, with a label that is cut as description', () => {
    const long = 'A label that is longer than a title may be'
    const [body] = bodies('whatsapp', { messages: [question], input: choice([...many(3), long]) })
    const { action } = (body as Json)['interactive'] as { action: { sections: { rows: Json[] }[] } }
    const { sections } = action
    expect(sections[0]?.rows.at(-1)).toEqual({
      id: 'r:3:3',
      title: 'A label that is longer…',
      description: long,
    })
    expect(notes('whatsapp', { input: choice([...many(3), long]) })).toEqual(['cut'])
  })

  it('are numbers in a text where there are more, which are read as the choice', () => {
    const input = choice(many(11))
    const [body] = bodies('whatsapp', { messages: [question], input })
    expect(body?.['text']).toEqual({
      body: `Which?\n\n${many(11)
        .map((label, index) => `${index + 1}. ${label}`)
        .join('\n')}\n\nReply with a number.`,
    })
    const asked = { channel: 'whatsapp', words, turn: 3, input } as never
    expect(readSaid({ text: ' 11. ' }, asked)).toEqual({
      reply: { type: 'text', text: 'Choice 11', metadata: { replyId: 'i10' } },
    })
    expect(readSaid({ text: '12' }, asked)).toEqual({ reply: '12' })
    expect(readSaid({ text: 'Choice 4' }, asked)).toEqual({ reply: 'Choice 4' })
  })

  it('of which several may be chosen are answered with their numbers', () => {
    const input = choice(['10', '20', '1'], { isMultipleChoice: true })
    const asked = { channel: 'telegram', words, turn: 3, input } as never
    expect(readSaid({ text: '1, 3' }, asked)).toEqual({ reply: '10, 1' })
    expect(readSaid({ text: 'the 20' }, asked)).toEqual({ reply: 'the 20' })
    expect(notes('telegram', { messages: [question], input })).toEqual(['numbered'])
  })

  it('of an earlier turn are told apart', () => {
    const asked = { channel: 'telegram', words, turn: 4, input: choice(['Yes']) } as never
    expect(readSaid({ press: 'r:3:0' }, asked)).toEqual({ isStale: true })
    expect(readSaid({ press: 'r:4:9' }, asked)).toEqual({ isStale: true })
    expect(readSaid({ press: 'anything' }, asked)).toEqual({ isStale: true })
  })
})

describe('texts', () => {
  const styled = text(
    { text: 'Dear ' },
    { text: 'Ada *now* too', bold: true },
    { text: ', see ' },
    { type: 'a', url: 'https://a.example/x_y/_z_', children: [{ text: 'this' }] },
  )

  it('are formatted by entities on Telegram', () => {
    expect(bodies('telegram', { messages: [styled] })).toEqual([
      {
        text: 'Dear Ada *now* too, see this',
        entities: [
          { type: 'bold', offset: 5, length: 13 },
          { type: 'text_link', offset: 24, length: 4, url: 'https://a.example/x_y/_z_' },
        ],
      },
    ])
  })

  it('are formatted by marks on WhatsApp, which values never are', () => {
    const [body] = bodies('whatsapp', { messages: [styled] })
    expect(readMarks(((body as Json)['text'] as { body: string }).body)).toEqual([
      { text: 'Dear ', looks: [] },
      { text: 'Ada \u200a*\u200anow\u200a*\u200a too', looks: ['bold'] },
      { text: ', see this (https://a.example/x_y/%5Fz%5F)', looks: [] },
    ])
  })

  it('are cut between words, and never within a sign that is put together', () => {
    const family = '👩‍👩‍👧‍👦'
    const [first, second] = bodies('telegram', { messages: [text({ text: `${'x'.repeat(4090)}${family}` })] })
    expect([first?.['text'], second?.['text']]).toEqual(['x'.repeat(4090), family])
    const pieces = bodies('telegram', { messages: [text({ text: 'word '.repeat(1000) })] })
    expect(pieces.every((piece) => /^(?:word )*word$/.test(String(piece?.['text'])))).toBe(true)
    expect(notes('telegram', { messages: [text({ text: 'word '.repeat(1000) })] })).toEqual([
      'split',
      'split',
    ])
  })

  it('are joined where rates demand or somebody asks for it', () => {
    const messages = [text({ text: 'One' }), text({ text: 'Two' })]
    expect(bodies('whatsapp', { messages })).toHaveLength(1)
    expect(bodies('telegram', { messages })).toHaveLength(2)
    expect(bodies('telegram', { messages }, { join: true })).toEqual([{ text: 'One\n\nTwo' }])
  })

  it.each(['_'.repeat(2_000), 'x'.repeat(60_000)])('never make a message too long by an address', (path) => {
    const link = { type: 'a', url: `https://a.example/${path}`, children: [{ text: 'here and there' }] }
    const messages = [text(link), { id: 'i', type: 'image', content: { url: link.url } }]
    const requests = render('whatsapp', { messages }).flatMap(({ request }) => request ?? [])
    expect(requests.length).toBeLessThan(4)
    for (const request of requests) expect(whatsAppProblems(request as never)).toEqual([])
  })

  it('show lists, quotes and code', () => {
    const item = (name: string, ...more: Json[]) => ({
      type: 'li',
      children: [{ type: 'lic', children: [{ text: name }] }, ...more],
    })
    const messages = [
      rich(
        { type: 'ol', children: [item('one', { type: 'ul', children: [item('inner')] }), item('two')] },
        { type: 'blockquote', children: [{ text: 'said' }] },
        { type: 'code_block', children: [{ type: 'code_line', children: [{ text: 'a *b*' }] }] },
      ),
    ]
    expect(bodies('whatsapp', { messages })[0]?.['text']).toEqual({
      body: '1. one\n   • inner\n2. two\n> said\n```a \u200a*\u200ab\u200a*\u200a```',
    })
  })
})

describe('what a messenger does not show', () => {
  it.each([
    [
      'a payment',
      {
        input: {
          id: 'q',
          type: 'payment input',
          runtimeOptions: { amountLabel: '$5', paymentIntentSecret: 's', publicKey: 'k' },
        },
      },
    ],
    [
      'a page that the flow waits for',
      {
        messages: [
          {
            id: 'e',
            type: 'embed',
            content: { url: 'https://a.example', waitForEvent: { isEnabled: true } },
          },
        ],
      },
    ],
    [
      'code that the flow waits for',
      {
        clientSideActions: [
          {
            type: 'setVariable',
            setVariable: { scriptToExecute: { content: '', args: [] } },
            expectsDedicatedReply: true,
          },
        ],
      },
    ],
  ])('leads to the page: %s', (_, answer) => {
    expect(JSON.stringify(bodies('telegram', answer))).toContain('https://flows.example/f/x')
    expect(notes('telegram', answer)).toEqual(['linked'])
    expect(notes('telegram', answer, { page: undefined })).toEqual(['left-out'])
  })

  it.each([
    ['whatsapp', 'image', 'https://a.example/x.gif', 'linked'],
    ['telegram', 'image', 'https://a.example/x.gif', undefined],
    ['telegram', 'image', 'https://a.example/x.svg', 'linked'],
    ['whatsapp', 'image', 'data:image/png;base64,AA', 'left-out'],
    ['whatsapp', 'audio', 'https://a.example/x.ogg', undefined],
    ['whatsapp', 'video', 'https://a.example/x.webm', 'linked'],
    ['telegram', 'image', 'https://a.example/\ud83d.png', 'left-out'],
  ] as const)('on %s: %s %s is %s', (channel, type, url, note) => {
    expect(notes(channel, { messages: [{ id: 'm', type, content: { url } }] })).toEqual(note ? [note] : [])
  })

  it('is asked for in words where nothing stands before a field', () => {
    const input = { id: 'q', type: 'text input', options: { labels: { placeholder: 'Your name' } } }
    expect(bodies('telegram', { input })).toEqual([{ text: 'Your name' }])
  })

  it.each([
    ['date input', {}, 'Reply with a date, such as 2026-12-24.'],
    ['date input', { hasTime: true }, 'Reply with a date and a time, such as 2026-12-24 14:30.'],
    ['date input', { isRange: true }, 'Reply with two dates, such as 2026-12-24 to 2026-12-31.'],
    ['time input', {}, 'Reply with a time, such as 14:30.'],
  ])('says what would be picked on a page: %s %j', (type, options, hint) => {
    const input = { id: 'q', type, options }
    const [body] = bodies('telegram', { messages: [question], input })
    expect(body?.['text']).toBe(`Which?\n${hint}`)
    expect(bodies('telegram', { input })).toEqual([{ text: hint }])
  })

  it('keeps the words that stand in a field alone, below what stands before it', () => {
    const input = { id: 'q', type: 'number input', options: { labels: { placeholder: 'How many are you?' } } }
    const facts = text({ text: 'Some facts:' })
    expect(bodies('whatsapp', { messages: [facts], input })[0]?.['text']).toEqual({
      body: 'Some facts:\n_How many are you?_',
    })
    expect(bodies('telegram', { messages: [facts], input })).toEqual([
      {
        text: 'Some facts:\nHow many are you?',
        entities: [{ type: 'italic', offset: 12, length: 17 }],
      },
    ])
    const asked = text({ text: 'How many are you? Roughly.' })
    expect(bodies('telegram', { messages: [asked], input })).toEqual([{ text: 'How many are you? Roughly.' }])
    const picture = { id: 'p', type: 'image', content: { url: 'https://a.example/p.png' } }
    expect(bodies('telegram', { messages: [picture], input }).at(-1)?.['text']).toBe('How many are you?')
  })
})

describe('cards, pictures and ratings', () => {
  const card = (title: string, ...labels: string[]) => ({
    id: title,
    title,
    description: 'Text',
    imageUrl: 'https://a.example/p.png',
    paths: labels.map((label) => ({ id: `${title}-${label}`, text: label })),
  })

  it('get a message each, with their picture', () => {
    const input = { id: 'q', type: 'cards', items: [card('One', 'Buy', 'Skip'), card('Two', 'Buy')] }
    expect(bodies('telegram', { messages: [question], input })).toEqual([
      { text: 'Which?' },
      {
        photo: 'https://a.example/p.png',
        caption: 'One\n\nText',
        caption_entities: [{ type: 'bold', offset: 0, length: 3 }],
        reply_markup: {
          inline_keyboard: [
            [
              { text: 'Buy', callback_data: 'r:3:0' },
              { text: 'Skip', callback_data: 'r:3:1' },
            ],
          ],
        },
      },
      expect.objectContaining({
        reply_markup: { inline_keyboard: [[{ text: 'Buy', callback_data: 'r:3:2' }]] },
      }),
    ])
    const asked = { channel: 'telegram', words, turn: 3, input } as never
    expect(readSaid({ press: 'r:3:2' }, asked)).toEqual({
      reply: { type: 'text', text: 'Two', metadata: { replyId: 'Two-Buy' } },
    })
  })

  it('are named by text where there are too many of them', () => {
    const items = many(11).map((title) => card(title, 'Buy'))
    expect(notes('whatsapp', { messages: [question], input: { id: 'q', type: 'cards', items } })).toEqual([
      'numbered',
      'left-out',
    ])
  })

  it('ask for a rating by its number, never by its place', () => {
    const input = { id: 'q', type: 'rating input', options: { labels: { left: 'bad' } } }
    expect(bodies('whatsapp', { messages: [question], input })[0]?.['text']).toEqual({
      body: 'Which?\n\n0 = bad\nReply with a number from 0 to 10.',
    })
    expect(readSaid({ text: '3' }, { channel: 'whatsapp', words, turn: 3, input } as never)).toEqual({
      reply: '3',
    })
  })

  it('let an optional file be left out', () => {
    const input = { id: 'q', type: 'file input', options: { isRequired: false } }
    expect(readSaid({ press: 'r:3:0' }, { channel: 'whatsapp', words, turn: 3, input } as never)).toEqual({
      reply: null,
    })
    expect(JSON.stringify(bodies('whatsapp', { messages: [question], input }))).toContain('"title":"Skip"')
  })
})
