import type { Log } from '../../schemas/log.ts'
import { rootOf } from '../engine/conversation.ts'
import { progressOf } from '../engine/progress.ts'
import type { Turn } from '../engine/turn.ts'
import type { FirstTurn } from './first-turn.ts'
import { ResponseWriter } from './response-writer.ts'
import { startPropsAction, startPropsLog } from './start-props.ts'

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
export interface StartResponseFacts {
  readonly sessionId: string
  /** Live sessions only. */
  readonly resultId?: string
  readonly publishedAt?: string
  readonly isOnlyRegistering: boolean
}

/** Writes the response of a start (docs/api.md 2.5). */
export function writeStartResponse(first: FirstTurn, facts: StartResponseFacts): Buffer {
  const writer = new ResponseWriter().addText('sessionId', facts.sessionId)
  if (facts.resultId !== undefined) writer.addText('resultId', facts.resultId)
  writer.addObject('flow', () => writeFlow(writer, first, facts))
  if (facts.isOnlyRegistering) {
    writer.add('messages', '[]')
    writeDynamicTheme(writer, first.turn)
    return writer.finish()
  }
  writeOutput(writer, first.turn, { isFirst: true })
  return writer.finish()
}

/** Writes the response of a continue (docs/api.md 2.13); the first of a registered session runs the start. */
export function writeContinueResponse(turn: Turn, facts: { readonly isFirst: boolean }): Buffer {
  const writer = new ResponseWriter()
  writeOutput(writer, turn, facts)
  return writer.finish()
}

interface TurnFacts {
  /** Whether the client has yet to load what the flow needs. */
  readonly isFirst: boolean
}

function writeOutput(writer: ResponseWriter, turn: Turn, facts: TurnFacts): void {
  const { messages, input, lastMessageNewFormat } = turn.output
  if (lastMessageNewFormat !== undefined) writer.addText('lastMessageNewFormat', lastMessageNewFormat)
  writer.addList('messages', messages)
  if (input) writer.add('input', input.bytes)
  writeActions(writer, turn, facts)
  writeLogs(writer, turn, facts)
  writeDynamicTheme(writer, turn)
  writeProgress(writer, turn)
}

function writeFlow(
  writer: ResponseWriter,
  { turn, theme, settings }: FirstTurn,
  { publishedAt, isOnlyRegistering }: StartResponseFacts,
): void {
  const { program } = rootOf(turn.conversation)
  writer
    .addText('id', program.id)
    .addText('version', program.version)
    .add('theme', theme.bytes)
    .add('settings', settings.bytes)
  if (publishedAt !== undefined && !isOnlyRegistering) writer.addText('publishedAt', publishedAt)
}

function writeActions(writer: ResponseWriter, { conversation, output }: Turn, { isFirst }: TurnFacts): void {
  const { startProps } = rootOf(conversation).program
  const startAction = isFirst && conversation.isLive ? startPropsAction(startProps) : undefined
  const actions = startAction ? [startAction, ...output.actions] : output.actions
  if (actions.length > 0) writer.addList('clientSideActions', actions)
}

function writeLogs(writer: ResponseWriter, { conversation, output }: Turn, { isFirst }: TurnFacts): void {
  const { startProps } = rootOf(conversation).program
  const startLog = isFirst && !conversation.isLive ? startPropsLog(startProps) : undefined
  if (output.logs.length === 0 && !startLog) return
  const logs = conversation.isLive ? output.logs.filter(isForVisitors).map(asForVisitors) : output.logs
  const told = startLog ? [...logs, startLog] : logs
  if (told.length > 0) writer.add('logs', JSON.stringify(told))
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

function writeDynamicTheme(writer: ResponseWriter, { output }: Turn): void {
  if (output.dynamicTheme) writer.add('dynamicTheme', JSON.stringify(output.dynamicTheme))
}

function writeProgress(writer: ResponseWriter, { conversation, output }: Turn): void {
  if (!conversation.isProgressTracked) return
  const awaitsAction = output.actions.at(-1)?.value.expectsDedicatedReply === true
  const progress = progressOf(conversation, awaitsAction)
  if (progress !== undefined) writer.add('progress', String(progress))
}
