import type { Analytics } from '../../schemas/analytics.ts'
import { wholeDefinition } from './conformance.ts'

/**
 * A flow whose transcripts tell all that happened: each bubble says its own name, and each input is asked for by a bubble of
 * its name and a question mark.
 */
export const countedFlow = wholeDefinition({
  id: 'counted',
  variables: ['Name'],
  groups: {
    a: [
      { id: 'name?', text: 'name?' },
      { id: 'name', type: 'text input', options: { variableId: 'vName' } },
      { id: 'way?', text: 'way?' },
      {
        id: 'way',
        type: 'choice input',
        items: [
          { id: 'left', content: 'left', outgoingEdgeId: 'e-mail' },
          { id: 'right', content: 'right', outgoingEdgeId: 'e-draw' },
          { id: 'again', content: 'again', outgoingEdgeId: 'e-again' },
        ],
      },
    ],
    m: [
      { id: 'mail?', text: 'mail?' },
      { id: 'mail', type: 'email input', outgoingEdgeId: 'e-bye' },
    ],
    d: [
      {
        id: 'draw',
        type: 'AB test',
        items: [
          { id: 'heads', path: 'a', outgoingEdgeId: 'e-heads' },
          { id: 'tails', path: 'b', outgoingEdgeId: 'e-tails' },
        ],
      },
    ],
    h: [
      { id: 'heads!', text: 'heads!' },
      // An address of this machine, to which no flow may send: it leaves an error, and nothing is sent.
      {
        id: 'fail',
        type: 'Webhook',
        options: { webhook: { url: 'http://127.0.0.1:9/' } },
        outgoingEdgeId: 'e-mail2',
      },
    ],
    t: [
      { id: 'tails!', text: 'tails!' },
      { id: 'person!', type: 'Handoff', options: { message: 'person!' } },
    ],
    b: [{ id: 'bye', text: 'bye' }],
  },
  edges: {
    'e-mail': 'm',
    'e-draw': 'd',
    'e-again': { groupId: 'a', blockId: 'way?' },
    'e-heads': 'h',
    'e-tails': 't',
    'e-mail2': 'm',
    'e-bye': 'b',
  },
})

interface Line {
  readonly role: string
  readonly text: string
}

/** How often each thing happened, by a word for it. */
export type Tallies = Readonly<Record<string, number>>

/** Replies by the question that they are given to: some are refused, and some visitors say nothing any more. */
const replies: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'name?': ['Ada', 'Zoë', undefined],
  'way?': ['left', 'right', 'again', 'up', 'again', 'right', undefined],
  'mail?': ['ada@shop.example', 'none', undefined],
}

/** What a visitor says next, by what was asked last; undefined for one who goes away. */
export function replyTo(question: string, draw: () => number): string | undefined {
  const choices = replies[question] ?? []
  return choices[Math.floor(draw() * choices.length)]
}

/** Numbers from 0 to 1 by a seed alone (mulberry32). */
export function drawsOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The edges behind what is said, or shown. */
const edgesBehind: Readonly<Record<string, readonly string[]>> = {
  'way left': ['e-mail'],
  'way right': ['e-draw'],
  'way again': ['e-again'],
  'heads!': ['e-heads', 'e-mail2'],
  'tails!': ['e-tails'],
  mail: ['e-bye'],
}

const questions = new Set(Object.keys(replies))
const bubbles = new Set([...questions, 'heads!', 'tails!', 'person!', 'bye'])

/** Funnels that are looked at, in an order that no conversation has. */
export const funnels = [
  ['mail', 'name', 'draw'],
  ['tails!', 'way'],
  ['bye', 'heads!'],
] as const

/** Counts all that transcripts tell. */
export function recount(transcripts: readonly (readonly Line[])[]): Tallies {
  const tallies: Record<string, number> = {}
  const add = (what: string) => {
    tallies[what] = (tallies[what] ?? 0) + 1
  }
  const goFrom = (what: string) => {
    for (const edge of edgesBehind[what] ?? []) add(`edge ${edge}`)
  }
  for (const lines of transcripts) {
    const passed = new Set<string>()
    let asked = ''
    let answers = 0
    add('conversations')
    add('edge e-start')
    for (const [index, { role, text }] of lines.entries()) {
      const block = text.replace('?', '')
      if (role === 'assistant' && bubbles.has(text)) {
        add(`shown ${text}`)
        passed.add(text)
        if (text === 'person!') asked = ''
        if (questions.has(text)) {
          asked = block
          passed.add(block)
          add(`shown ${block}`)
          add(`asked ${block}`)
        }
        if (text === 'heads!' || text === 'tails!') {
          passed.add('draw')
          add(`item draw ${text.slice(0, -1)}`)
          goFrom(text)
        }
        if (text === 'heads!') for (const kind of ['shown', 'errors']) add(`${kind} fail`)
        if (text === 'person!') for (const kind of ['asked', 'handedOver']) add(`${kind} ${text}`)
      }
      // What is said to the person answers no question.
      if (role !== 'user' || asked === '') continue
      const next = lines[index + 1]
      const isRefused = next !== undefined && !bubbles.has(next.text)
      add(isRefused ? `refused ${asked}` : `answered ${asked}`)
      if (!isRefused) answers += 1
      if (!isRefused) add(`times ${asked}`)
      if (!isRefused && asked === 'way') add(`item way ${text}`)
      if (!isRefused) goFrom(asked === 'way' ? `way ${text}` : asked)
    }
    const last = lines.findLast(({ text }) => bubbles.has(text))?.text ?? ''
    const isOver = last === 'bye'
    if (isOver) add(`ended ${last}`)
    else add(`waiting ${last.replace('?', '')}`)
    if (answers > 0) add('started')
    if (last === 'person!') add('handedOver')
    for (const what of isOver ? ['completed', 'durations'] : []) add(what)
    for (const funnel of funnels)
      for (let length = 1; length <= funnel.length; length++)
        if (funnel.slice(0, length).every((block) => passed.has(block)))
          add(`funnel ${funnel.slice(0, length).join(' ')}`)
  }
  return tallies
}

const countedKinds = [
  'shown',
  'asked',
  'answered',
  'refused',
  'ended',
  'waiting',
  'handedOver',
  'errors',
] as const

/** A row of an export of counts. */
interface CountedRow {
  readonly kind: string
  readonly count: number
  readonly blockId?: string
}

/**
 * The same of what was counted, with the funnels that were asked for one by one, and what an export has beside that: how long it
 * took to answer and to complete is in no transcript, but each answer and each completion has one such time.
 */
export function talliesOf(analytics: readonly Analytics[], rows: readonly CountedRow[]): Tallies {
  const [first] = analytics
  if (!first) throw new Error('nothing was asked for')
  const { blocks, edges, items, conversations, started, completed, handedOver } = first
  const tallies: Record<string, number> = { conversations, started, completed, handedOver }
  for (const { kind, count, blockId } of rows) {
    const what = kind === 'time' ? `times ${blockId}` : kind === 'duration' ? 'durations' : undefined
    if (what !== undefined) tallies[what] = (tallies[what] ?? 0) + count
  }
  for (const { blockId, ...counts } of blocks)
    for (const kind of countedKinds) tallies[`${kind} ${blockId}`] = counts[kind]
  for (const { edgeId, count } of edges) tallies[`edge ${edgeId}`] = count
  for (const { blockId, itemId, count } of items) tallies[`item ${blockId} ${itemId}`] = count
  for (const { funnel = [] } of analytics)
    for (const [index, { conversations }] of funnel.entries())
      tallies[
        `funnel ${funnel
          .slice(0, index + 1)
          .map(({ blockId }) => blockId)
          .join(' ')}`
      ] = conversations
  // The draw is in no transcript but by what it led to.
  delete tallies['shown draw']
  return Object.fromEntries(Object.entries(tallies).filter(([, count]) => count !== 0))
}
