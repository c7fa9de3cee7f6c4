import { expect } from 'vitest'
import type { Json } from '../support/json.ts'
import { type Action, obey } from './browser.ts'
import { type Input, type Line, messageOf, type VisitorClient } from './messages.ts'

/** One conversation, from its start to its end. */
export interface Visit {
  readonly title: string
  /** What the start is asked for. */
  readonly start?: Json
  /** The id of a message that one of several possible beginnings shows: the visit starts again until it is there. */
  readonly beginsWith?: string
  readonly lines: readonly Line[]
  /** The last text that is shown. */
  readonly endsWith: string | RegExp
}

/** The parts of an answer that a visitor looks at; the client has checked them all. */
export interface Turn {
  readonly messages: readonly { readonly id: string; readonly content: { readonly markdown?: string } }[]
  readonly input?: Input
  readonly clientSideActions?: readonly Action[]
  readonly progress?: number
}

/** What a visitor saw and did, by ids of blocks and items and by types of actions. */
export interface Memory {
  readonly shown: Set<string>
  readonly picked: Set<string>
  readonly actions: Set<string>
  /** The inputs that something was said to and that took it, in order. */
  readonly answered: string[]
  lastText: string
  progress: number | undefined
}

/** Holds the rest of a conversation, as a browser and whoever sits before it would. */
export async function converse(
  client: VisitorClient,
  { sessionId, turn, lines }: { sessionId: string; turn: Turn; lines: readonly Line[] },
): Promise<Memory> {
  const memory: Memory = {
    shown: new Set(),
    picked: new Set(),
    actions: new Set(),
    answered: [],
    lastText: '',
    progress: undefined,
  }
  const say = async (message: unknown) => {
    const body = { message, textBubbleContentFormat: 'markdown' }
    const answer = await client.continueChat({ parameters: { sessionId }, body })
    expect(answer.status).toBe(200)
    return watch(answer.body as Turn, memory)
  }
  let present = await obeyAll(watch(turn, memory), say)
  for (const line of lines) {
    const { input } = present
    if (input?.type !== line.at) throw new Error(`no ${line.at} waits: ${JSON.stringify({ line, present })}`)
    const message = await messageOf(line, { input, sessionId, picked: memory.picked, client })
    present = await obeyAll(await say(message), say)
    const isAskedAgain = present.messages.some(({ id }) => id === input.id)
    expect({ line, isAskedAgain }).toEqual({ line, isAskedAgain: line.isRefused === true })
    if (line.isRefused) expect(present.input).toEqual(input)
    else if (!('commands' in line || 'saysNothing' in line)) memory.answered.push(input.id)
  }
  expect(present.input).toBeUndefined()
  return memory
}

function watch(turn: Turn, memory: Memory): Turn {
  for (const { id, content } of turn.messages) {
    memory.shown.add(id)
    memory.lastText = content.markdown ?? memory.lastText
  }
  if (turn.input) memory.shown.add(turn.input.id)
  for (const { type } of turn.clientSideActions ?? []) memory.actions.add(type)
  memory.progress = turn.progress
  return turn
}

/** Does what the answers ask the browser for, until it is the visitor's turn. */
async function obeyAll(turn: Turn, say: (message: unknown) => Promise<Turn>): Promise<Turn> {
  let present = turn
  for (;;) {
    const awaited = present.clientSideActions?.find((action) => action.expectsDedicatedReply)
    if (!awaited) return present
    present = await say(await obey(awaited))
  }
}
