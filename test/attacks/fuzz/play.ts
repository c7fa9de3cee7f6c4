import type { Call } from './arbitraries/call-parts.ts'
import type { Conversation, Say } from './arbitraries/conversations.ts'
import { editBytes, jsonText } from './arbitraries/json-text.ts'
import { mutate } from './arbitraries/mutation.ts'
import type { Bytes } from './arbitraries/wire.ts'
import type { Answer, Line, Sent } from './exchange.ts'
import { Complaint, type Judge } from './judge.ts'
import { readAnswers } from './raw-answers.ts'
import { suitable, type Turn } from './suitable.ts'

/** A service that is being tried. */
export interface Tried {
  readonly line: Line
  readonly judge: Judge
  /** Told of every request, once it was answered. */
  readonly onAnswer: (answer: Answer) => void
}

type Names = Map<string, string>

/** What a conversation knows by now, for the requests that name it. */
interface Knowledge {
  readonly names: Names
  turn: Turn
}

/** Paths are paths from the beginning. */
function knowNothing(): Knowledge {
  const names = new Map([
    ['upload', '/uploads/none'],
    ['file', '/uploads/none/none.png'],
  ])
  return { names, turn: {} }
}

/** Sends requests of which the later ones may be about what the earlier ones brought. Throws a `Complaint`. */
export async function playCalls(calls: readonly Call[], tried: Tried): Promise<void> {
  const knowledge = knowNothing()
  for (const call of calls) await play(call, knowledge, tried)
}

/** Holds a conversation. Throws a `Complaint`. */
export async function playConversation({ start, steps }: Conversation, tried: Tried): Promise<void> {
  const knowledge = knowNothing()
  await play(start, knowledge, tried)
  // Without a session there is little to be said.
  for (const step of knowledge.names.has('session') ? steps : steps.slice(0, 2)) {
    await play('method' in step ? step : spoken(step, knowledge), knowledge, tried)
  }
}

/** Pours bytes into a connection. Throws a `Complaint`. */
export async function playBytes(bytes: Bytes, { line, judge, onAnswer }: Tried): Promise<void> {
  for (const answer of readAnswers(await line.pour(bytes))) {
    onAnswer(answer)
    judge.answer(answer)
  }
}

function spoken({ nth, edits, instead, format }: Say, { turn, names }: Knowledge): Call {
  const messages = suitable(turn, names.get('file'))
  const { message } = instead ?? { message: messages[nth % messages.length] }
  const body = {
    message: mutate(message, edits),
    ...(format !== undefined && { textBubbleContentFormat: format }),
  }
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', path: '/v1/sessions/<session>/continueChat', headers, body, bytes: [] }
}

async function play(call: Call, knowledge: Knowledge, { line, judge, onAnswer }: Tried): Promise<void> {
  const sent = write(call, knowledge.names)
  try {
    const answer = await line.send(sent)
    onAnswer(answer)
    judge.answerTo(sent, answer)
    if (answer.status === 200) learn(answer, knowledge)
  } catch (cause) {
    throw new Complaint(`${cause}\n\nThe request: ${show(sent)}`, { cause })
  }
}

function show({ method, path, headers, body }: Sent): string {
  const text = body?.toString() ?? ''
  const rest = text.length > mostShown ? `… and ${text.length - mostShown} characters more` : ''
  return `${method} ${path}\n${JSON.stringify(headers)}\n${text.slice(0, mostShown)}${rest}`
}

/** Characters of a body that are shown. */
const mostShown = 10_000

function write({ method, path, headers, body, text, bytes }: Call, names: Names): Sent {
  const inJson = (value: string) => JSON.stringify(value).slice(1, -1)
  const written = (body: unknown, bytes: Call['bytes']) =>
    body === undefined ? undefined : editBytes(fill(jsonText(body), names, inJson), bytes)
  return {
    method,
    path: fill(path, names, (value, name) => (name === 'upload' || name === 'file' ? value : encode(value))),
    headers,
    body: text === undefined ? written(body, bytes) : Buffer.from(text),
  }
}

function fill(text: string, names: Names, written: (value: string, name: string) => string): string {
  return text.replace(/<(session|result|flow|block|upload|file|state|handle)>/g, (_, name) =>
    written(names.get(name) ?? 'unknown', name),
  )
}

const encode = (value: string) => encodeURIComponent(value.toWellFormed())

interface Told extends Turn {
  readonly sessionId?: string
  readonly resultId?: string
  readonly flow?: { readonly id: string }
  readonly presignedUrl?: string
  readonly fileUrl?: string
  /** Of an assistant's call. */
  readonly result?: {
    readonly requestState?: string
    readonly structuredContent?: { readonly handle?: string }
  }
}

/** Remembers what a request has brought, for those that come. */
function learn({ body, headers }: Answer, knowledge: Knowledge): void {
  if (!headers['content-type']?.startsWith('application/json') || body.length === 0) return
  const told: Told = JSON.parse(body.toString())
  const { names } = knowledge
  const know = (key: string, value: string | undefined) => value !== undefined && names.set(key, value)
  know('session', told.sessionId)
  know('result', told.resultId)
  know('flow', told.flow?.id)
  know('block', told.input?.id)
  know('upload', told.presignedUrl && new URL(told.presignedUrl).pathname)
  know('file', told.fileUrl && new URL(told.fileUrl).pathname)
  know('state', told.result?.requestState)
  know('handle', told.result?.structuredContent?.handle)
  if ('messages' in told) knowledge.turn = told
}
