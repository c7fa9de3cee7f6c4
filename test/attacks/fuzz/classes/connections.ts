import fc from 'fast-check'
import type { Call } from '../arbitraries/call-parts.ts'
import { playCalls } from '../play.ts'
import type { AttackClass } from './attack-class.ts'

interface Connections {
  readonly sends: keyof typeof beginnings
  readonly count: number
  /** How much of a body is sent, and how often a request whose answer is not read. */
  readonly kibibytes: number
  readonly forMs: number
}

const post = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nhost: a.example\r\ncontent-type: application/json\r\n${more}\r\n`
const preview = '/v1/flows/draft/preview/startChat'
const mebibyte = 1024 * 1024

/** What is sent on each connection, which never sends more and never reads an answer. */
const beginnings = {
  nothing: () => '',
  'half a head': () => 'POST /v1/flows/lead-form/startChat HTTP/1.1\r\nhost: a.ex',
  'a head that never ends': (kibibytes) => `GET /health HTTP/1.1\r\nx: ${'x'.repeat(kibibytes * 1024)}`,
  'a head without its body': () => post('/v1/flows/lead-form/startChat', 'content-length: 1000\r\n'),
  'half a body': (kibibytes) =>
    `${post('/v1/flows/lead-form/startChat', `content-length: ${mebibyte}\r\n`)}${body(kibibytes)}`,
  'half a draft': (kibibytes) => `${post(preview, `content-length: ${8 * mebibyte}\r\n`)}${body(kibibytes)}`,
  'half a chunk': (kibibytes) =>
    `${post(preview, 'transfer-encoding: chunked\r\n')}${(2 * mebibyte).toString(16)}\r\n${body(kibibytes)}`,
  'half an upload': (kibibytes) =>
    `PUT /uploads/none HTTP/1.1\r\nhost: a\r\ncontent-length: ${mebibyte}\r\n\r\n${body(kibibytes)}`,
  'requests for what is large, never read': (kibibytes) =>
    'GET /openapi.json HTTP/1.1\r\nhost: a.example\r\n\r\n'.repeat(Math.ceil(kibibytes / 4)),
  'starts, never read': (kibibytes) =>
    `${post('/v1/flows/lead-form/startChat', 'content-length: 2\r\n')}{}`.repeat(Math.ceil(kibibytes / 64)),
} satisfies Record<string, (kibibytes: number) => string>

function body(kibibytes: number): string {
  return `{"flow":"${'x'.repeat(kibibytes * 1024)}`
}

const health: Call = { method: 'GET', path: '/health', headers: {}, body: undefined, bytes: [] }

/** Connections that keep others waiting: half-sent, or not read. Few, and for a short time. */
export const connections: AttackClass<Connections> = {
  parameters: fc.record({
    sends: fc.constantFrom(...(Object.keys(beginnings) as (keyof typeof beginnings)[])),
    count: fc.integer({ min: 1, max: 12 }),
    kibibytes: fc.constantFrom(1, 64, 512, 1000),
    forMs: fc.constantFrom(0, 20, 200),
  }),
  async play({ sends, count, kibibytes, forMs }, tried) {
    const release = await tried.line.hold(beginnings[sends](kibibytes), count)
    try {
      await new Promise((resolve) => setTimeout(resolve, forMs))
      await playCalls([health], tried)
    } finally {
      release()
    }
  },
}
