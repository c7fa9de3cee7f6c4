import { describe, expect, it } from 'vitest'
import type { Flow } from '../../../schemas/flow.ts'
import { localiseFlow, shownTexts, textOfTranslation } from '../../../src/engine/compile/localise-flow.ts'

const flowOf = (blocks: object[], more: object = {}) =>
  ({ groups: [{ id: 'g1', blocks }], settings: {}, ...more }) as unknown as Flow

describe('texts that are shown', () => {
  it('are those of bubbles whose content is written as text or markdown', () => {
    const blocks = [
      { id: 'b1', type: 'text', content: 'Hi' },
      { id: 'b2', type: 'text', content: { markdown: '**Hi**' } },
    ]
    expect([...shownTexts(flowOf(blocks))].map(({ key }) => key)).toEqual([
      'b1/content',
      'b2/content/markdown',
    ])
    const localizations = { fr: { 'b1/content': 'Salut', 'b2/content/markdown': '**Salut**' } }
    const { groups } = localiseFlow(flowOf(blocks, { localizations }), 'fr')
    expect(groups[0]?.blocks).toMatchObject([{ content: 'Salut' }, { content: { markdown: '**Salut**' } }])
  })

  it('are those that visitors read, by the id of their block and their place in it', () => {
    const flow = flowOf(
      [
        {
          id: 'b1',
          type: 'text',
          content: { richText: [{ type: 'p', children: [{ text: 'Hi' }] }], html: 'Hi' },
        },
        {
          id: 'b2',
          type: 'image',
          content: { url: 'https://x', clickLink: { url: 'https://y', alt: 'A cat' } },
        },
        {
          id: 'b3',
          type: 'file input',
          options: {
            variableId: 'v1',
            labels: { button: 'Send', success: { single: 'Done' } },
            visibility: 'Auto',
          },
        },
        {
          id: 'b4',
          type: 'cards',
          items: [{ id: 'c1', title: 'One', imageUrl: 'https://z', paths: [{ id: 'p1', text: 'Take' }] }],
        },
        { id: 'b5', type: 'Condition', items: [{ id: 'x', content: { comparisons: [{ value: 'One' }] } }] },
        { id: 'b1', type: 'text', content: { richText: [{ text: 'of another block with that id' }] } },
      ],
      {
        settings: {
          metadata: { title: 'Shop', imageUrl: 'i' },
          general: { systemMessages: { botClosed: 'No' } },
        },
      },
    )
    expect([...shownTexts(flow)].map(({ key, text }) => `${key}: ${text}`)).toEqual([
      'b1/content/richText/0/children/0/text: Hi',
      'b2/content/clickLink/alt: A cat',
      'b3/options/labels/button: Send',
      'b3/options/labels/success/single: Done',
      'b4/items/0/title: One',
      'b4/items/0/paths/0/text: Take',
      '/settings/metadata/title: Shop',
      '/settings/general/systemMessages/botClosed: No',
    ])
  })

  it('are all that a localization changes, and what is not translated is shared', () => {
    const blocks = [
      { id: 'a/items/1', type: 'choice input', items: [{ id: 'i', content: 'Yes' }] },
      { id: 'b', type: 'text', content: { richText: [] } },
    ]
    const flow = flowOf(blocks, {
      localizations: {
        fr: {
          'a/items/1/items/0/content': 'ignored, as the id holds a pointer',
          'b/id': 'c',
          'b/type': 'image',
          'b/content/richText/__proto__/text': 'x',
          'b/content/richText/0/text': 'x',
          'b/content/richText': 'x',
          nothing: 'x',
          '/settings/security/allowedOrigins/0': 'x',
        },
      },
    })
    const french = localiseFlow(flow, 'fr')
    expect(french).toEqual({ ...flow, settings: { general: { language: 'fr' } } })
    expect(french.groups[0]?.blocks[1]).toBe(blocks[1])
  })
})

it('reads a translation with and without the hash of its text', () => {
  expect([textOfTranslation('a'), textOfTranslation({ text: 'b', source: 'c' })]).toEqual(['a', 'b'])
})
