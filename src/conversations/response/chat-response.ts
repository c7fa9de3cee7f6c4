import type { TurnTrace } from '../../../schemas/trace.ts'
import { rootFrameOf } from '../../engine/model/conversation.ts'
import { logForAuthors, logForVisitors } from '../../engine/model/log-entry.ts'
import { computeProgress } from '../../engine/turn/progress.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { ByteString } from '../../lib/byte-string.ts'
import { JsonObjectWriter } from './json-object-writer.ts'
import type { Appearance } from './render-appearance.ts'
import { createStartPropsAction, createStartPropsLog } from './start-props-action.ts'

/** Facts of a start response besides what the turn produced. */
interface StartFacts {
  /** Live sessions only. */
  readonly publishedAt?: string | undefined
  readonly isOnlyRegistering: boolean
  readonly trace?: TurnTrace | undefined
}

/** Writes all of the response of a start that is behind its ids (docs/api.md 2.5). */
export function writeStartResponse(
  first: Appearance & { readonly turn: Turn },
  facts: StartFacts,
): ByteString {
  const writer = new JsonObjectWriter()
  writer.addObject('flow', () => writeFlow(writer, first, facts))
  if (!facts.isOnlyRegistering) {
    writeOutput(writer, first.turn, { isFirst: true, trace: facts.trace })
    return writer.finish()
  }
  writer.addList('messages', [])
  writeDynamicTheme(writer, first.turn)
  return writer.finish()
}

/** Puts the ids of a start before what is behind them. */
export function addIds(
  { sessionId, resultId }: { readonly sessionId: string; readonly resultId: string | undefined },
  start: ByteString,
): ByteString {
  const writer = new JsonObjectWriter().addValue('sessionId', sessionId)
  if (resultId !== undefined) writer.addValue('resultId', resultId)
  return writer.finishWith(start)
}

/** Puts the findings about a flow before the rest of a start. */
export function addFindings(findings: readonly object[], start: ByteString): ByteString {
  return new JsonObjectWriter().addValue('findings', findings).finishWith(start)
}

/** Writes the response of a continue (docs/api.md 2.13); the first of a registered session runs the start. */
export function writeContinueResponse(turn: Turn, facts: TurnFacts): ByteString {
  const writer = new JsonObjectWriter()
  writeOutput(writer, turn, facts)
  return writer.finish()
}

/** Where a session is: what it waits for, if it does. */
export interface SessionState {
  /** Registered: nothing has run yet. */
  readonly state: 'registered' | 'waiting'
  /** Present while waiting. */
  readonly waitingFor?: 'input' | 'action' | 'webhook'
}

/** Writes what a session looks like at present (docs/api.md 2.14). */
export function writeSessionResponse(
  shown: Appearance & { readonly turn: Turn },
  { state, publishedAt }: { readonly state: SessionState; readonly publishedAt: string | undefined },
): ByteString {
  const { turn } = shown
  const writer = new JsonObjectWriter().addValue('state', state.state)
  if (state.waitingFor !== undefined) writer.addValue('waitingFor', state.waitingFor)
  const { messages, input, actions } = turn.output
  if (messages.length > 0) writer.addList('messages', messages)
  if (input) writer.add('input', input.json)
  if (actions.length > 0) writer.addList('clientSideActions', actions)
  writeDynamicTheme(writer, turn)
  if (state.waitingFor === 'input') writeProgress(writer, turn)
  writer.addObject('flow', () => writeFlow(writer, shown, { publishedAt, isOnlyRegistering: false }))
  return writer.finish()
}

interface TurnFacts {
  /** Whether the client has yet to load what the flow needs. */
  readonly isFirst: boolean
  /** Of a preview that asked for it. */
  readonly trace?: TurnTrace | undefined
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
  if (facts.trace) writer.addValue('trace', facts.trace)
}

function writeFlow(
  writer: JsonObjectWriter,
  { turn, theme, settings }: Appearance & { readonly turn: Turn },
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
  const read = conversation.isLive ? logForVisitors : logForAuthors
  const logs = [...output.logs.map(read), startLog].filter((log) => log !== undefined)
  if (logs.length > 0) writer.addValue('logs', logs)
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
