import fc from 'fast-check'
import { playCalls } from '../play.ts'
import { type AttackClass, posted } from './attack-class.ts'

interface Shape {
  readonly at: keyof typeof places
  readonly part: keyof typeof parts
  readonly characters: number
}

const paths = {
  publicStart: '/v1/flows/lead-form/startChat',
  preview: '/v1/flows/draft/preview/startChat',
  continue: '/v1/sessions/unknown/continueChat',
  logs: '/v2/sessions/unknown/clientLogs',
}

/** Where in a body the parts stand: what comes before them and behind. */
const places = {
  'the body of a start': [paths.publicStart, '', ''],
  'prefilled values of a start': [paths.publicStart, '{"prefilledVariables":', '}'],
  'the message of a continue': [paths.continue, '{"message":', '}'],
  'variables set by a continue': [paths.continue, '{"setVariables":', '}'],
  'client logs': [paths.logs, '{"clientLogs":[', ']}'],
  'a flow': [paths.preview, '{"flow":', '}'],
  'something beside a flow': [paths.preview, '{"flow":{},"more":', '}'],
  'prefilled values of a preview': [paths.preview, '{"flow":{},"prefilledVariables":', '}'],
} as const

type Make = (characters: number) => string

const repeat = (text: string, characters: number) => text.repeat(Math.ceil(characters / text.length))

const listed =
  (open: string, close: string, part: (nth: number) => string): Make =>
  (characters) => {
    const size = part(10_000).length + 1
    return `${open}${Array.from({ length: Math.ceil(characters / size) }, (_, nth) => part(nth)).join(',')}${close}`
  }

const parts = {
  'lists inside each other, open': (characters) => repeat('[', characters),
  'lists inside each other': (characters) =>
    repeat('[', characters / 2) + repeat(']', Math.ceil(characters / 2)),
  'objects inside each other': (characters) => repeat('{"a":', characters),
  'different keys': listed('{', '}', (nth) => `"k${nth.toString(36)}":0`),
  'the same key': listed('{', '}', () => '"k":0'),
  'keys that are numbers': listed('{', '}', (nth) => `"${nth * 7919}":0`),
  'empty lists': listed('[', ']', () => '[]'),
  'empty objects': listed('[', ']', () => '{}'),
  numbers: listed('[', ']', (nth) => `${nth}e-300`),
  texts: listed('[', ']', (nth) => `"${nth}"`),
  'digits of one number': (characters) => repeat('1', characters),
  escapes: (characters) => `"${repeat('\\u0301', characters)}"`,
  blanks: (characters) => `${repeat(' ', characters)}1`,
} satisfies Record<string, Make>

const keysOf = <Table extends object>(table: Table) =>
  fc.constantFrom(...(Object.keys(table) as (keyof Table)[]))

/** Bodies that are wide or deep: they take long to parse, to walk over, or to refuse. */
export const jsonShapes: AttackClass<Shape> = {
  parameters: fc.record({
    at: keysOf(places),
    part: keysOf(parts),
    characters: fc.constantFrom(10, 10_000, 200_000, 900_000, 1_000_000, 4_000_000),
  }),
  play({ at, part, characters }, tried) {
    const [path, begin, end] = places[at]
    // What a head promises to be too much is refused at once, and the connection cut off while it is still being sent.
    const most = path === paths.preview ? characters : Math.min(characters, 1_000_000)
    return playCalls([posted(path, begin + parts[part](most) + end)], tried)
  },
}
