import { createClient, type Input } from '../../client/client.ts'

const names = ['Ada', 'Grace', 'Linus', 'Margaret', 'Ken', 'Barbara', 'علي', 'Zoë']

/** Conversations that are held at once. */
const atOnce = 16

/** Numbers from 0 to 1, the same each time. */
function drawFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
}

/** Holds conversations of a flow that end or are left anywhere, always the same ones. */
export async function makeConversations(address: string, flow: string, count: number): Promise<void> {
  const draw = drawFrom(7)
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(draw() * values.length)] as Value
  const client = createClient({ address })
  const hold = async () => {
    const turns = Math.floor(draw() * 14)
    const { conversation, answer } = await client.start(flow, {
      prefilledVariables: { utm_source: pick(['search', 'mail', 'shop']) },
    })
    let input = answer.input
    for (let turn = 0; input && turn < turns; turn++) {
      const message = { type: 'text' as const, text: replyTo(input, draw, pick) }
      input = (await conversation.reply(message)).input
    }
  }
  for (let made = 0; made < count; made += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - made) }, hold))
}

function replyTo(input: Input, draw: () => number, pick: <Value>(values: readonly Value[]) => Value): string {
  switch (input.type) {
    case 'choice input':
      return pick(input.items).content ?? ''
    case 'number input':
      return draw() < 0.1 ? '99999' : String(1 + Math.floor(draw() * 80))
    case 'email input':
      return draw() < 0.15 ? 'no address' : `${pick(names.slice(0, 6)).toLowerCase()}@shop.example`
    case 'phone number input':
      return `+442079460${100 + Math.floor(draw() * 900)}`
    case 'url input':
      return `https://shop${Math.floor(draw() * 30)}.example`
    case 'date input':
      return `2026-12-0${1 + Math.floor(draw() * 9)}`
    default:
      return pick(names)
  }
}
