import { bubble, variable } from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import type { RuleCase } from './rule-case.ts'

const at = '/groups/0/blocks/0'
const image = (content: Json) => ({
  blocks: [{ id: 'm', type: 'image', content }],
  variables: [variable('Url')],
})
const pictures = (...items: Json[]) => ({
  blocks: [
    {
      id: 'p',
      type: 'picture choice input',
      items: items.map((item, index) => ({ id: `i${index}`, ...item })),
    },
  ],
})
const link = (url: string) => ({
  blocks: [
    { id: 't', type: 'text', content: { richText: [{ type: 'a', url, children: [{ text: 'here' }] }] } },
  ],
  variables: [variable('Url')],
})
const header = (value: string) => ({
  blocks: [
    {
      id: 'w',
      type: 'Webhook',
      options: { webhook: { url: 'https://a.example', headers: [{ id: 'h', key: 'Authorization', value }] } },
    },
  ],
})
// Put together here, so that no scanner takes this file for a leak.
const key = ['sk', 'live', 'a1b2c3d4e5f6a7b8c9d0'].join('_')

const onWhatsApp = (...blocks: Json[]) => ({ settings: { whatsApp: { isEnabled: true } }, blocks })
const labels = (count: number, length: number) => ({
  id: 'c',
  type: 'choice input',
  items: Array.from({ length: count }, (_, index) => ({ id: `i${index}`, content: 'x'.repeat(length) })),
})
const everyItem = (count: number) => Array.from({ length: count }, (_, index) => `${at}/items/${index}`)

export const texts: readonly RuleCase[] = [
  {
    code: 'too-long-for-channel',
    finds: [
      [onWhatsApp(bubble('a', 'x'.repeat(4_097))), at],
      [onWhatsApp(labels(11, 2)), at],
      [onWhatsApp(labels(3, 21)), ...everyItem(3)],
      [onWhatsApp(labels(4, 25)), ...everyItem(4)],
    ],
    spares: [
      onWhatsApp(bubble('a', 'x'.repeat(4_096)), labels(3, 20)),
      onWhatsApp(labels(4, 24)),
      onWhatsApp(labels(10, 2)),
      { blocks: [bubble('a', 'x'.repeat(4_097)), labels(11, 25)] },
      onWhatsApp({ ...labels(11, 25), options: { isMultipleChoice: true } }),
    ],
  },
  {
    code: 'too-long-for-channel',
    surroundings: { channels: ['telegram'] },
    finds: [[{ blocks: [bubble('a', 'x'.repeat(4_097))] }, at]],
    spares: [{ blocks: [bubble('a', 'x'.repeat(4_096)), labels(11, 25)] }],
  },
  {
    code: 'too-long-for-channel',
    finds: [
      [{ settings: { general: { channels: ['telegram'] } }, blocks: [labels(2, 65)] }, ...everyItem(2)],
      [{ settings: { general: { channels: ['whatsapp'] } }, blocks: [labels(1, 73)] }, ...everyItem(1)],
    ],
    spares: [{ settings: { general: { channels: [] } }, blocks: [labels(2, 65)] }],
  },
  {
    code: 'not-on-channel',
    finds: [
      [onWhatsApp({ id: 'p', type: 'payment input' }), at],
      [onWhatsApp({ id: 'e', type: 'embed', content: { waitForEvent: { isEnabled: true } } }), at],
      [
        onWhatsApp({ id: 'i', type: 'image', content: { url: 'https://a.example/a.gif' } }),
        `${at}/content/url`,
      ],
      [
        onWhatsApp({ id: 'i', type: 'audio', content: { url: 'https://a.example/a.wav' } }),
        `${at}/content/url`,
      ],
      [
        onWhatsApp({ id: 'i', type: 'image', content: { url: 'data:image/png;base64,AA' } }),
        `${at}/content/url`,
      ],
      [
        {
          settings: { general: { channels: ['telegram'] } },
          ...pictures({ title: 'a', pictureSrc: 'https://a.example/a.svg' }),
        },
        `${at}/items/0/pictureSrc`,
      ],
    ],
    spares: [
      onWhatsApp({ id: 'i', type: 'image', content: { url: 'https://a.example/a.png?x=a.gif' } }),
      onWhatsApp({ id: 'v', type: 'video', content: { url: 'https://youtu.be/x', type: 'youtube' } }),
      onWhatsApp({ id: 'i', type: 'image', content: { url: '{{Url}}' } }),
      onWhatsApp({ id: 'e', type: 'embed', content: { url: 'https://a.example' } }),
      image({ url: 'https://a.example/a.gif' }),
    ],
  },
  {
    code: 'empty-bubble',
    finds: [
      [{ blocks: [bubble('a', ' ')] }, at],
      [{ blocks: [{ id: 't', type: 'text' }] }, at],
      [image({ url: '' }), at],
    ],
    spares: [{ blocks: [bubble('a', 'x')] }, image({ url: '{{Url}}' })],
  },
  {
    code: 'unsafe-address',
    finds: [
      [link('javascript:alert(1)'), `${at}/content/richText/0/url`],
      [link('java\nscript:{{Url}}'), `${at}/content/richText/0/url`],
      [image({ url: 'data:text/html,x' }), `${at}/content/url`],
      [pictures({ title: 'a', pictureSrc: 'file:///etc/passwd' }), `${at}/items/0/pictureSrc`],
    ],
    spares: [
      link('https://a.example'),
      link('mailto:a@b.example'),
      link('{{Url}}'),
      image({ url: 'data:image/png;base64,AA' }),
      pictures({ title: 'a', pictureSrc: 'https://a.example/a.png' }),
    ],
  },
  {
    code: 'missing-alt',
    finds: [
      [
        image({ url: 'https://a.example/a.png', clickLink: { url: 'https://a.example' } }),
        `${at}/content/clickLink`,
      ],
      [pictures({ pictureSrc: 'https://a.example/a.png' }), `${at}/items/0`],
    ],
    spares: [
      image({ url: 'https://a.example/a.png' }),
      image({ url: 'https://a.example/a.png', clickLink: { url: 'https://a.example', alt: 'Shop' } }),
      ...['title', 'description', 'value'].map((key) =>
        pictures({ pictureSrc: 'https://a.example/a.png', [key]: 'Red' }),
      ),
    ],
  },
  {
    code: 'secret-in-flow',
    finds: [
      [header(key), `${at}/options/webhook/headers/0/value`],
      [header(`AKIA${'A1B2'.repeat(4)}`), `${at}/options/webhook/headers/0/value`],
      [header(`${' '.repeat(49_980)}AKIA${'A1B2'.repeat(4)}`), `${at}/options/webhook/headers/0/value`],
      [header(`Bearer eyJhbGciOiJIUzI1NiJ9.${'x'.repeat(20)}`), `${at}/options/webhook/headers/0/value`],
      [
        {
          blocks: [{ id: 'k', type: 'Code', options: { content: `const key = 'AKIA${'A1B2'.repeat(4)}'` } }],
        },
        `${at}/options/content`,
      ],
    ],
    spares: [
      header('Bearer {{Token}}'),
      header('sk_live_…'),
      { blocks: [bubble('a', 'An ask-me-anything, task-based and risk-free')] },
    ],
  },
]
