import { expect } from 'vitest'
import { asks, group, says } from '../support/walk-flow.ts'
import { actionsOf, type Json, texts } from './service.ts'

/** What the variables hold whose placeholders stand in different places. */
export const textsInPlaces = {
  Mix: 'a "b" & c',
  Quote: 'say "hi"\n<b>',
  Bold: '**x**',
  List: ['a', 'b'],
  Num: '5',
  Title: 'G2',
  Key: '"a"] + secret',
  Json: '{"a":1}',
  Zone: 'Asia/Kolkata',
  Unset: null,
  T: null,
}

/** A flow with a placeholder somewhere, what to look at in its response, and what is to be seen there. */
export interface Place {
  readonly definition: Json
  look(response: Json): unknown
  readonly seen: unknown
}

const first = (list: unknown) => (list as [Json])[0]
const contentOf = (response: Json) => first(response['messages'])['content']
const requestOf = (response: Json) => first(actionsOf(response))['httpRequestToExecute'] as Json

function request(webhook: Json, more: Json = {}): Json {
  const options = { isExecutedOnClient: true, isCustomBody: true, ...more }
  return {
    id: 'h',
    type: 'Webhook',
    options: { ...options, webhook: { url: 'https://a.example', method: 'POST', ...webhook } },
  }
}

const row = (key: string, value: string) => ({ id: key, key, value })

/** The body of a request in JSON, with placeholders in it. */
const body = (text: string, seen: unknown): Place => ({
  definition: { blocks: [request({ body: text })] },
  look: (response) => requestOf(response)['body'],
  seen,
})

const bubble = (definition: Json, seen: string): Place => ({ definition, look: texts, seen: [seen] })

const image = (url: string) => ({ id: 'm', type: 'image', content: { url, clickLink: { url, alt: url } } })

/** Writes `T` with the options of a block, and shows it. */
const setting = (options: Json, url: string): Place => {
  const block = { id: 's', type: 'Set variable', options: { variableId: 'vT', ...options } }
  return {
    definition: { blocks: [block, image('{{T}}')] },
    look: contentOf,
    seen: expect.objectContaining({ url }),
  }
}

/** Where placeholders stand, and what becomes of values there (docs/behaviour.md, "Placeholders"). */
export const places: [place: string, Place][] = [
  [
    'a text bubble reads markdown',
    bubble({ blocks: [says('b', '{{Bold}} {{Quote}}')] }, '**x** say "hi"\n<b>'),
  ],
  [
    'a text bubble loses nothing beside a placeholder',
    bubble({ blocks: [says('b', '${{Num}}!{{=1=}}{{Num}}?')] }, '$5!15?'),
  ],
  [
    'other bubbles take the value as it is, at any depth',
    {
      definition: { blocks: [image('{{Quote}}')] },
      look: contentOf,
      seen: { url: 'say "hi"\n<b>', clickLink: { url: 'say "hi"\n<b>', alt: 'say "hi"\n<b>' } },
    },
  ],
  [
    'the options of an input take the value as it is',
    {
      definition: { blocks: [{ ...asks('i'), options: { labels: { placeholder: '{{Quote}}' } } }] },
      look: ({ input }) => (input as Json)['options'],
      seen: { labels: { placeholder: 'say "hi"\n<b>' } },
    },
  ],
  [
    'items to pick from take the value as it is',
    {
      definition: { blocks: [{ id: 'i', type: 'choice input', items: [{ id: 'a', content: '{{Mix}}' }] }] },
      look: ({ input }) => (input as Json)['items'],
      seen: [{ id: 'a', content: 'a "b" & c' }],
    },
  ],
  [
    'the theme and the settings take the value as it is',
    {
      definition: {
        groups: [],
        theme: { customCss: '{{Mix}}' },
        settings: { metadata: { title: '{{Quote}}' } },
      },
      look: ({ flow }) => flow,
      seen: expect.objectContaining({
        theme: { customCss: 'a "b" & c' },
        settings: { metadata: { title: 'say "hi"\n<b>' } },
      }),
    },
  ],
  [
    'a redirect encodes nothing',
    {
      definition: {
        blocks: [{ id: 'r', type: 'Redirect', options: { url: 'a.example/{{Num}}?q={{Mix}}' } }],
      },
      look: (response) => first(actionsOf(response))['redirect'],
      seen: { url: 'https://a.example/5?q=a "b" & c' },
    },
  ],
  [
    'the address of a request is not encoded, its query is, and empty rows are dropped',
    {
      definition: {
        blocks: [
          request({
            method: 'GET',
            url: 'https://a.example/{{Mix}}',
            queryParams: [row('{{Num}}', '{{Mix}}'), row('gone', '{{Unset}}'), row('{{Unset}}', 'gone')],
          }),
        ],
      },
      look: (response) => requestOf(response)['url'],
      seen: 'https://a.example/a "b" & c?5=a%20%22b%22%20%26%20c',
    },
  ],
  [
    'the headers of a request take the value as it is',
    {
      definition: { blocks: [request({ method: 'GET', headers: [row('x-mix', '{{Mix}}')] })] },
      look: (response) => requestOf(response)['headers'],
      seen: { 'x-mix': 'a "b" & c' },
    },
  ],
  ['a text in a JSON body is escaped', body('{"a":"{{Quote}}"}', { a: 'say "hi"\n<b>' })],
  ['a list in a JSON body is JSON', body('{"a":{{List}}}', { a: ['a', 'b'] })],
  ['a number in a JSON body is one', body('{"a":{{Num}}}', { a: 5 })],
  [
    'nothing in a JSON body is nothing, and what is no JSON is sent as text',
    body('{"a":{{Unset}}}', '{"a":}'),
  ],
  ['a body from placeholder to placeholder is the value as it is', body('{{Json}}', { a: 1 })],
  [
    'code for the client gets the value as an argument',
    {
      definition: { blocks: [{ id: 'c', type: 'Code', options: { content: 'f("{{Key}}")' } }] },
      look: (response) => first(actionsOf(response))['scriptToExecute'],
      seen: { content: 'f("vKey")', args: [{ id: 'vKey', value: '"a"] + secret' }] },
    },
  ],
  [
    'code of the server never takes a value for code',
    setting({ expressionToEvaluate: '{{Key}} + 1' }, '"a"] + secret1'),
  ],
  [
    'a jump takes one placeholder for a title, and a text around it for an id',
    {
      definition: {
        groups: [
          group('g1', { id: 'j', type: 'Jump', options: { groupId: '{{Title}}' } }),
          group('g2', says('b'), { id: 'k', type: 'Jump', options: { groupId: 'g{{Num}}' } }),
          group('g5', says('never')),
        ],
      },
      look: (response) => [texts(response), (response['logs'] as Json[]).length],
      seen: [['b'], 1],
    },
  ],
  [
    'the seconds of a wait take the value as it is',
    {
      definition: { blocks: [{ id: 'w', type: 'Wait', options: { secondsToWaitFor: '{{Num}}0' } }] },
      look: (response) => first(actionsOf(response))['wait'],
      seen: { secondsToWaitFor: 50 },
    },
  ],
  [
    'a time zone takes the value as it is',
    setting({ type: 'Now', timeZone: '{{Zone}}' }, '2026-11-21T14:47:01+05:30'),
  ],
  [
    'an item that is appended is one text',
    setting({ type: 'Append value(s)', item: '{{List}}' }, '["[\\"a\\",\\"b\\"]"]'),
  ],
  [
    'analytics and pixels take the value as it is; only that of a pixel is read as JSON',
    {
      definition: {
        blocks: [
          {
            id: 'g',
            type: 'Google Analytics',
            options: { trackingId: 'G', label: '{{Num}}', action: '{{Unset}}' },
          },
          {
            id: 'p',
            type: 'Pixel',
            options: {
              pixelId: 'P',
              eventType: 'Lead',
              params: [row('a', '{{Num}}'), row('b', '{{Unset}}')],
            },
          },
        ],
      },
      look: (response) => actionsOf(response).slice(1),
      seen: [
        { type: 'googleAnalytics', googleAnalytics: { trackingId: 'G', label: '5' } },
        {
          type: 'pixel',
          pixel: expect.objectContaining({
            params: [
              { id: 'a', key: 'a', value: 5 },
              { id: 'b', key: 'b' },
            ],
          }),
        },
      ],
    },
  ],
]
