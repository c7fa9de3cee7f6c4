import type { Log } from '../../../schemas/log.ts'
import type { ByteString } from '../../byte-string.ts'
import { rootFrameOf } from '../../engine/model/conversation.ts'
import { computeProgress } from '../../engine/turn/progress.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { FirstTurn } from '../start/run-first-turn.ts'
import { createStartPropsAction, createStartPropsLog } from './client-bootstrap.ts'
import { JsonObjectWriter } from './json-object-writer.ts'

/** Logs that tell what a server-side block sent and received: stored, and never shown to a visitor. */
const withheld = new Set([
  'Webhook successfuly executed.',
  'Webhook returned an error.',
  'Email successfully sent',
  'Email not sent',
])

/** Contexts of logs whose details quote what another system answered: stored, and never shown to a visitor. */
const quotesAnswers = new Set(['While generating chat completion', 'While generating variables'])

/** What a start response says besides what the turn produced. */
export interface StartFacts {
  /** Live sessions only. */
  readonly publishedAt?: string
  readonly isOnlyRegistering: boolean
}

/** What tells the response of a start from that of another visitor. */
export interface StartedIds {
  readonly sessionId: string
  /** Live sessions only. */
  readonly resultId?: string
}

/** Writes all of the response of a start that is behind its ids (docs/api.md 2.5). */
export function writeStartResponse(first: FirstTurn, facts: StartFacts): ByteString {
  const writer = new JsonObjectWriter()
  writer.addObject('flow', () => writeFlow(writer, first, facts))
  if (!facts.isOnlyRegistering) {
    writeOutput(writer, first.turn, { isFirst: true })
    return writer.finish()
  }
  writer.addList('messages', [])
  writeDynamicTheme(writer, first.turn)
  return writer.finish()
}

/** Puts the ids of a start before what is behind them. */
export function addIds({ sessionId, resultId }: StartedIds, start: ByteString): ByteString {
  const writer = new JsonObjectWriter().addValue('sessionId', sessionId)
  if (resultId !== undefined) writer.addValue('resultId', resultId)
  return writer.finishWith(start)
}

/** Writes the response of a continue (docs/api.md 2.13); the first of a registered session runs the start. */
export function writeContinueResponse(turn: Turn, facts: { readonly isFirst: boolean }): ByteString {
  const writer = new JsonObjectWriter()
  writeOutput(writer, turn, facts)
  return writer.finish()
}

interface TurnFacts {
  /** Whether the client has yet to load what the flow needs. */
  readonly isFirst: boolean
}

function writeOutput(writer: JsonObjectWriter, turn: Turn, facts: TurnFacts): void {
  const { messages, input, lastMessageNewFormat } = turn.output
  if (lastMessageNewFormat !== undefined) writer.addValue('lastMessageNewFormat', lastMessageNewFormat)
  writer.addList('messages', messages)
  if (input) writer.add('input', input.json)
  writeActions(writer, turn, facts)
  writeLogs(writer, turn, facts)
  writeDynamicTheme(writer, turn)
  writeProgress(writer, turn)
}

function writeFlow(
  writer: JsonObjectWriter,
  { turn, theme, settings }: FirstTurn,
  { publishedAt, isOnlyRegistering }: StartFacts,
): void {
  const { program } = rootFrameOf(turn.conversation)
  writer
    .addValue('id', program.id)
    .addValue('version', program.version)
    .add('theme', theme.json)
    .add('settings', settings.json)
  if (publishedAt !== undefined && !isOnlyRegistering) writer.addValue('publishedAt', publishedAt)
}

function writeActions(
  writer: JsonObjectWriter,
  { conversation, output }: Turn,
  { isFirst }: TurnFacts,
): void {
  const { program } = rootFrameOf(conversation)
  const startAction = isFirst && conversation.isLive ? createStartPropsAction(program) : undefined
  const actions = startAction ? [startAction, ...output.actions] : output.actions
  if (actions.length > 0) writer.addList('clientSideActions', actions)
}

function writeLogs(writer: JsonObjectWriter, { conversation, output }: Turn, { isFirst }: TurnFacts): void {
  const { program } = rootFrameOf(conversation)
  const startLog = isFirst && !conversation.isLive ? createStartPropsLog(program) : undefined
  if (output.logs.length === 0 && !startLog) return
  const logs = conversation.isLive ? output.logs.filter(isForVisitors).map(asForVisitors) : output.logs
  const told = startLog ? [...logs, startLog] : logs
  if (told.length > 0) writer.addValue('logs', told)
}

function isForVisitors({ description }: Log): boolean {
  return !withheld.has(description) && !description.startsWith('Security validation failed')
}

/** What another system said stays between it and the author. */
function asForVisitors(log: Log): Log {
  if (log.details === undefined || !quotesAnswers.has(log.context ?? '')) return log
  const { details: _, ...told } = log
  return told
}

function writeDynamicTheme(writer: JsonObjectWriter, { output }: Turn): void {
  if (output.dynamicTheme) writer.addValue('dynamicTheme', output.dynamicTheme)
}

function writeProgress(writer: JsonObjectWriter, { conversation, output }: Turn): void {
  if (!conversation.isProgressTracked) return
  const awaitsAction = output.actions.at(-1)?.value.expectsDedicatedReply === true
  const progress = computeProgress(conversation, awaitsAction)
  if (progress !== undefined) writer.addValue('progress', progress)
}
