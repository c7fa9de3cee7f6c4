import { describe, expect, it } from 'vitest'
import { converse, declare, type Json, messagesOf } from './converse.ts'

const markdown = { textBubbleContentFormat: 'markdown' }

const p = (...texts: string[]): Json => ({ type: 'p', children: texts.map((text) => ({ text })) })

const text = (...richText: Json[]): Json => ({ id: 'b', type: 'text', content: { richText } })

const edge = { id: 'e', to: { groupId: 'g1' } }

/** The content of the only message of a flow, as rich text and as markdown. */
async function bothContents(block: Json, values: Json = {}, more: Json = {}): Promise<Json[]> {
  const definition = { variables: declare(values), blocks: [block], ...more }
  const contents: Json[] = []
  for (const body of [{}, markdown]) {
    const { first } = await converse(definition, body)
    expect(messagesOf(first)).toMatchObject([{ id: 'b', type: 'text' }])
    contents.push(...messagesOf(first).map(({ content }) => content))
  }
  return contents
}

/** The messages of a flow of one block. */
async function messages(block: Json, values: Json = {}) {
  const { first } = await converse({ variables: declare(values), blocks: [block] })
  return messagesOf(first)
}

const rich = (...richText: unknown[]) => ({ type: 'richText', richText })
const written = (source: string) => ({ type: 'markdown', markdown: source })

/** A flow of an old version, where the first block says where to start. */
const version5 = {
  version: '5',
  groups: [
    { id: 'g0', title: 'Start', blocks: [{ id: 's', type: 'start', outgoingEdgeId: 'e' }] },
    { id: 'g1', title: 'A', blocks: [text(p('{{L}}'))] },
  ],
  edges: [edge],
}

describe('B1. A text bubble without content', () => {
  it('shows nothing', async () => {
    expect(await messages({ id: 'b', type: 'text' })).toEqual([])
  })
})

describe('B2. A text bubble with an empty content', () => {
  it('is an empty rich text, also where markdown is asked for', async () => {
    const empty = { id: 'b', type: 'text', content: {} }
    expect(await bothContents(empty)).toEqual([rich(), rich()])
  })
})

describe('B3. A text bubble with an empty rich text', () => {
  it('is an empty text in markdown', async () => {
    expect(await bothContents(text())).toEqual([rich(), written('')])
  })
})

describe('B4. A line that is one placeholder without a value', () => {
  it('leaves a message without text', async () => {
    expect(await bothContents(text(p('{{X}}')), { X: undefined })).toEqual([rich(), written('')])
  })
})

describe('B5. A placeholder without a value inside a line', () => {
  it('leaves the blanks around it', async () => {
    expect(await bothContents(text(p('A {{X}} B')), { X: undefined })).toEqual([
      rich(p('A ', ' B')),
      written('A  B'),
    ])
  })
})

describe('B6. A list in a text bubble, from version 6 on', () => {
  it.each(['6', '6.1'])('is its JSON: version %s', async (version) => {
    const contents = await bothContents(text(p('{{L}}')), { L: ['a', 'b'] }, { version })
    expect(contents).toEqual([rich(p('["a","b"]')), written('["a","b"]')])
  })
})

describe('B7. A list in a text bubble, below version 6', () => {
  it('is its last element', async () => {
    const { first } = await converse({ ...version5, variables: declare({ L: ['a', 'b'] }) })
    expect(messagesOf(first).map(({ content }) => content)).toEqual([rich(p('b'))])
  })
})

describe('B8. An image with an empty content', () => {
  it('is sent as it is', async () => {
    const image = { id: 'b', type: 'image', content: {} }
    expect(await messages(image)).toEqual([image])
  })
})

describe('B9. A video that has an id and no address', () => {
  it('is sent as it is', async () => {
    const video = { id: 'b', type: 'video', content: { type: 'vimeo', id: '9' } }
    expect(await messages(video)).toEqual([video])
  })
})

describe('B10. A video whose address has no value', () => {
  it('keeps its type, with an empty address', async () => {
    const video = (url: string) => ({ id: 'b', type: 'video', content: { type: 'youtube', url } })
    expect(await messages(video('{{V}}'), { V: undefined })).toEqual([video('')])
  })
})

describe('B11. An embed with its height in a variable', () => {
  it('leaves with a number', async () => {
    const embed = (height: unknown) => ({ id: 'b', type: 'embed', content: { url: 'x', height } })
    expect(await messages(embed('{{H}}'), { H: '300' })).toEqual([embed(300)])
  })
})

describe('B12. An embed whose height is no number', () => {
  it('leaves without a height', async () => {
    const embed = { id: 'b', type: 'embed', content: { url: 'x', height: 'tall' } }
    expect(await messages(embed)).toEqual([{ id: 'b', type: 'embed', content: { url: 'x' } }])
  })
})

describe('B13. The edge of a bubble', () => {
  const contents = { text: { richText: [] }, image: {}, video: {}, embed: {}, audio: {} }

  it.each(Object.entries(contents))('never shows in a message: %s', async (type, content) => {
    const blocks = [
      { id: 'b', type, content, outgoingEdgeId: 'e' },
      { id: 'i', type: 'text input' },
    ]
    const { first } = await converse({ blocks, edges: [edge] })
    expect(messagesOf(first).map((message) => Object.keys(message))).toEqual([['id', 'type', 'content']])
  })
})

describe('B14. A bold placeholder whose value is bold in part', () => {
  it('is bold as a whole, in a line of its own', async () => {
    const line = { type: 'p', children: [{ text: '{{V}}', bold: true }] }
    const [inRich, inMarkdown] = await bothContents(text(line), { V: '**x** y' })
    const leaves = [
      { text: 'x', bold: true },
      { text: ' y', bold: true },
    ]
    // docs/behaviour.md, "Decisions": a bold placeholder alone on a line is a bold line.
    expect(inRich).toEqual(rich({ type: 'p', children: leaves }))
    expect(inMarkdown).toEqual(written('**x y**'))
  })
})

describe('B15. A link in a value that stands within a text', () => {
  it('is its text, and no link', async () => {
    const contents = await bothContents(text(p('see {{V}}')), { V: '[d](https://x.example)' })
    expect(contents).toEqual([rich(p('see ', 'd')), written('see d')])
  })
})

describe('B16. A link whose address has no value', () => {
  it('is an empty link', async () => {
    const link = (url: string) => ({ type: 'a', url, children: [{ text: 'go' }] })
    const line = (url: string) => ({ type: 'p', children: [link(url)] })
    const contents = await bothContents(text(line('{{U}}')), { U: undefined })
    expect(contents).toEqual([rich(line('')), written('[go]()')])
  })
})

describe('B17. An embed that waits, with a bubble behind it', () => {
  it('is the only message, and nothing is asked', async () => {
    const waiting = { url: 'x', waitForEvent: { isEnabled: true } }
    const blocks = [
      { id: 'b', type: 'embed', content: waiting },
      { ...text(p('later')), id: 'c' },
    ]
    const { first } = await converse({ blocks })
    expect(messagesOf(first).map(({ id }) => id)).toEqual(['b'])
    expect(first).not.toHaveProperty('input')
  })
})
