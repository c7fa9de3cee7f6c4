import type { Row } from '../world.ts'

/** As much as a body may hold, and as that of a preview start may. */
const most = 1024 * 1024
const mostOfPreview = 8 * most

const previewPath = '/v1/flows/draft/preview/startChat'

/** A text of at most so many characters, made of a beginning, as many parts as fit, and an end. */
export function filled(part: (nth: number) => string, { begin = '', end = '', length = most } = {}): string {
  const parts: string[] = []
  let left = length - begin.length - end.length
  for (let nth = 0; ; nth++) {
    const next = part(nth)
    left -= next.length
    if (left < 0) return begin + parts.join('') + end
    parts.push(next)
  }
}

const body = (name: string, path: string, text: () => string): Row => ({
  name,
  prepare(world) {
    const made = text()
    return () => world.post(path, made)
  },
})

const key = (nth: number) => `"k${nth.toString(36)}":0,`

const renderPath = '/v1/flows/render'

/** Characters of leaves that an answer for a messenger has room for. */
const mostOfAnswer = 128 * 1024 - 200

const answerFor = (channel: string, leaves: string) =>
  `{"channel":"${channel}","messages":[{"id":"b","type":"text","content":{"type":"richText","richText":[${leaves}]}}]}`

/** Whatever is refused, it is refused in time. */
export const bodies: readonly Row[] = [
  body('lists inside each other', '/v1/flows/none/startChat', () => '['.repeat(most)),
  body('lists inside each other, all closed', previewPath, () => {
    const half = mostOfPreview / 2
    return '['.repeat(half) + ']'.repeat(half)
  }),
  body('objects inside each other', previewPath, () => '{"a":'.repeat(mostOfPreview / 5)),
  body('keys beside a flow', previewPath, () =>
    filled(key, { begin: '{"flow":{},', end: '"end":0}', length: mostOfPreview }),
  ),
  body('keys in a flow', previewPath, () =>
    filled(key, { begin: '{"flow":{', end: '"end":0}}', length: mostOfPreview }),
  ),
  body('keys of prefilled values', '/v1/flows/none/startChat', () =>
    filled(key, { begin: '{"prefilledVariables":{', end: '"end":""}}' }),
  ),
  body('as many different keys as are read', previewPath, () => {
    const keys = Array.from({ length: 19_990 }, (_, nth) => key(nth)).join('')
    return `{"prefilledVariables":{${keys}"end":""}}`
  }),
  body('as many orders of keys as are read', previewPath, () => {
    const objects = Array.from({ length: 990 }, (_, nth) => `{"k${nth}":0,"m":0,"n":0,"o":0,"p":0},`)
    return `{"flow":[${objects.join('').repeat(50)}0]}`
  }),
  body('orders of keys', previewPath, () =>
    filled((nth) => `{"k${nth.toString(36)}":0,"m":0,"n":0,"o":0,"p":0},`, {
      begin: '{"flow":[',
      end: '0]}',
      length: mostOfPreview,
    }),
  ),
  body('empty lists', previewPath, () =>
    filled(() => '[],', { begin: '{"flow":[', end: '[]]}', length: mostOfPreview }),
  ),
  body('numbers', previewPath, () =>
    filled((nth) => `${nth}e-300,`, { begin: '{"flow":[', end: '0]}', length: mostOfPreview }),
  ),
  body('escapes in one text', previewPath, () =>
    filled(() => '\\u00e9', { begin: '{"flow":"', end: '"}', length: mostOfPreview }),
  ),
  body('a text beside a flow', previewPath, () =>
    filled(() => 'x', { begin: '{"flow":{},"note":"', end: '"}', length: mostOfPreview }),
  ),
  body('blanks', previewPath, () => filled(() => ' ', { begin: '{', end: '}', length: mostOfPreview })),
  ...['whatsapp', 'telegram'].flatMap((channel) => [
    body(`signs that could be marks, for ${channel}`, renderPath, () =>
      answerFor(channel, `{"text":"${'*'.repeat(mostOfAnswer)}"}`),
    ),
    ...Object.entries({
      words: '"a"',
      'signs that could be marks': '"*"',
      'words with looks': '"a","bold":true',
    }).map(([name, leaf]) =>
      body(`bubbles of ${name}, for ${channel}`, renderPath, () => {
        const bubble = `{"id":"","type":"text","content":{"type":"richText","richText":[{"type":"p","children":[{"text":${leaf}}]}]}},`
        return filled(() => bubble, {
          begin: `{"channel":"${channel}","messages":[`,
          end: `${bubble.slice(0, -1)}]}`,
          length: mostOfAnswer,
        })
      }),
    ),
    body(`short words with looks, for ${channel}`, renderPath, () =>
      answerFor(
        channel,
        filled(() => '{"text":"a ","bold":true},{"text":"b ","italic":true},', {
          end: '{"text":""}',
          length: mostOfAnswer,
        }),
      ),
    ),
  ]),
]
