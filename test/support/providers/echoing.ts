import { bubble, setVariable, textInput } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../conformance.ts'
import type { Json } from '../json.ts'

/** Answers whatever is said with its number, a picture where there are any, and the number again, for ever. */
export const echoing = (pictures?: string) =>
  wholeDefinition({
    id: 'echoing',
    publicId: 'echoing',
    variables: ['Said', 'Count'],
    settings: { typingEmulation: { enabled: false } },
    groups: {
      g: [
        textInput('i', 'vSaid'),
        setVariable('count', 'vCount', 'Number({{Count}} || 0) + 1'),
        bubble('first', '{{Count}}: {{Said}}'),
        ...(pictures === undefined
          ? []
          : [{ id: 'picture', type: 'image', content: { url: `${pictures}/{{Count}}.png` } }]),
        { ...bubble('last', 'That was {{Count}}'), outgoingEdgeId: 'again' },
      ],
    },
    edges: { again: 'g' },
  })

/** The bubbles by which it answers a conversation. */
export const echoesOf = (said: readonly string[], pictures?: string): string[] =>
  said.flatMap((each, index) => {
    const count = index + 1
    const picture = pictures === undefined ? [] : [`${pictures}/${count}.png`]
    return [`${count}: ${each}`, ...picture, `That was ${count}`]
  })

/** What a message says, whichever messenger it is for. */
export function saidBy(body: Json): string {
  const { text, photo, image } = body as { text?: string | Json; photo?: string; image?: Json }
  return String(photo ?? image?.['link'] ?? (typeof text === 'string' ? text : text?.['body']))
}
