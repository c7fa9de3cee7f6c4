import type { ClientSideAction } from '../../../schemas/action.ts'
import type { Log } from '../../../schemas/log.ts'
import type { Message } from '../../../schemas/message.ts'
import type { Paused } from '../../../schemas/start-chat.ts'
import type { TurnTrace } from '../../../schemas/trace.ts'
import { Memo } from '../../engine/model/footprint.ts'
import { logForAuthors, logForVisitors } from '../../engine/model/log-entry.ts'
import type { Program } from '../../engine/model/program.ts'
import type { Pause } from '../../engine/model/step.ts'
import { JsonFragment } from '../../engine/templates/json-fragment.ts'
import { computeProgress } from '../../engine/turn/progress.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import {
  type ByteString,
  joinObjects,
  joinRest,
  jsonList,
  jsonObject,
  jsonOf,
  jsonRest,
  readJson,
} from '../../lib/byte-string.ts'
import type { AnnouncedTimers } from '../timers/timers-after.ts'
import type { Appearance } from './render-appearance.ts'

/** A turn with the look of the flow that was started. */
type ShownTurn = Appearance & { readonly turn: Turn }

/** Facts of a start response besides what the turn produced. */
interface StartFacts {
  /** Live sessions only. */
  readonly publishedAt?: string | undefined
  readonly isOnlyRegistering: boolean
}

/** Writes the rest of the response of a start, behind its ids (docs/api.md 2.5). */
export function writeStartResponse(
  first: ShownTurn,
  { publishedAt, isOnlyRegistering }: StartFacts,
): ByteString {
  const { turn } = first
  const { program } = turn.conversation.frames[0]
  const { dynamicTheme } = turn.output
  if (!isOnlyRegistering)
    return jsonRest({ flow: flowOf(program, first, publishedAt), ...outputOf(turn, program, true) })
  return jsonRest({
    flow: flowOf(program, first),
    messages: jsonList([]),
    dynamicTheme: dynamicTheme && jsonOf(dynamicTheme),
  })
}

/** Puts the ids of a start before the rest of it. */
export function addIds(
  ids: {
    readonly sessionId: string
    readonly resultId: string | undefined
    readonly contact: object | undefined
  },
  rest: ByteString,
): ByteString {
  return joinRest(jsonOf(ids), rest)
}

/** Puts the findings about a flow before the rest of a start. */
export function addFindings(findings: readonly object[], rest: ByteString): ByteString {
  return joinRest(jsonOf({ findings }).slice(1) as ByteString, rest)
}

/** Puts the trace of a preview that asked for it behind the rest of a response. */
export function addTrace(response: ByteString, trace: TurnTrace | undefined): ByteString {
  return trace ? joinObjects(response, jsonOf({ trace })) : response
}

/** Puts behind a response when the session acts by itself; undefined where it will not. */
export function addTimers(response: ByteString, timers: AnnouncedTimers | undefined): ByteString {
  return timers ? joinRest(response, `${membersOf(timers).slice(1)}}` as ByteString) : response
}

/** A number, and a time of digits: written as they are. */
function membersOf({ actsAfterSeconds, joinsUntil }: AnnouncedTimers): string {
  const until = joinsUntil === undefined ? '' : `,"joinsUntil":"${joinsUntil}"`
  return `,"actsAfterSeconds":${actsAfterSeconds}${until}`
}

interface ContinueFacts {
  readonly isFirst: boolean
  readonly isLocaleAsked: boolean
  readonly timers: AnnouncedTimers | undefined
}

/**
 * Writes the response of a continue (docs/api.md 2.13). `isFirst` says whether the client has yet to load what the flow
 * needs: the first of a registered session runs the start. One that changed the language says which it has become. `timers`
 * are written here where nothing comes before them, as `addTimers` copies the response.
 */
export function writeContinueResponse(
  turn: Turn,
  { isFirst, isLocaleAsked, timers }: ContinueFacts,
): ByteString {
  const { program } = turn.conversation.frames[0]
  const locale = isLocaleAsked ? (program.locale ?? turn.conversation.locale) : undefined
  const output = outputOf(turn, program, isFirst)
  const members = locale === undefined ? output : { ...output, locale: jsonOf(locale) }
  return jsonObject(members, timers && membersOf(timers))
}

/** Writes the part of a response that a visitor sees. */
export function writeShown({ messages, input }: Turn['output']): ByteString {
  return jsonObject({ messages: jsonList(messages), input: input?.json })
}

/** The same of a response that is written. */
export function shownIn(response: ByteString): ByteString {
  const { messages, input } = readJson(response)
  return jsonOf({ messages, input })
}

/** Describes a pause to the visitor; the reason is for operators. */
export function pausedFor({ since, who, until }: Pause): Paused {
  return {
    since: new Date(since).toISOString(),
    ...(who !== undefined && { who }),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
  }
}

/** The same with all of it. */
export const pausedForOperator = (pause: Pause) => ({ ...pausedFor(pause), reason: pause.reason })

/** Where a session is: what it waits for, if it does. */
export interface SessionState {
  /** Registered: nothing has run yet. */
  readonly state: 'registered' | 'waiting'
  /** Present while waiting. */
  readonly waitingFor?: 'input' | 'action' | 'webhook' | 'timer' | 'person'
  /** Present while it waits for a person. */
  readonly paused?: Paused
  /** When the session goes on by itself, as ISO 8601. Present while it waits for a timer. */
  readonly wakesAt?: string
}

interface SessionFacts {
  readonly state: SessionState
  readonly publishedAt: string | undefined
  /** Sent by timers since its visitor last did something. */
  readonly said: readonly Message[]
  /** Of a preview, where it has some. */
  readonly timers: readonly object[] | undefined
}

/** Writes what a session looks like at present (docs/api.md 2.14). */
export function writeSessionResponse(
  shown: ShownTurn,
  { state, publishedAt, said, timers }: SessionFacts,
): ByteString {
  const { turn } = shown
  const { input, actions, dynamicTheme } = turn.output
  const messages = [...said.map((message) => ({ json: jsonOf(message) })), ...turn.output.messages]
  const present = jsonObject({
    messages: messages.length > 0 ? jsonList(messages) : undefined,
    input: input?.json,
    timers: timers && jsonOf(timers),
    clientSideActions: actions.length > 0 ? jsonList(actions) : undefined,
    dynamicTheme: dynamicTheme && jsonOf(dynamicTheme),
    progress: state.waitingFor === 'input' ? progressOf(turn) : undefined,
    flow: flowOf(turn.conversation.frames[0].program, shown, publishedAt),
  })
  return joinObjects(jsonOf(state), present)
}

function outputOf(turn: Turn, program: Program, isFirst: boolean) {
  const { messages, input, lastMessageNewFormat, dynamicTheme } = turn.output
  const { sleep, pause } = turn.conversation
  return {
    lastMessageNewFormat: lastMessageNewFormat === undefined ? undefined : jsonOf(lastMessageNewFormat),
    messages: jsonList(messages),
    input: input?.json,
    clientSideActions: actionsOf(turn, program, isFirst),
    logs: logsOf(turn, program, isFirst),
    dynamicTheme: dynamicTheme && jsonOf(dynamicTheme),
    progress: progressOf(turn),
    wakesAt: sleep && jsonOf(new Date(sleep.until).toISOString()),
    paused: pause && jsonOf(pausedFor(pause)),
  }
}

/** The flow that was started; `publishedAt` of live sessions only. */
function flowOf(program: Program, { theme, settings }: Appearance, publishedAt?: string): ByteString {
  const { id, version } = nameOf(program)
  return jsonObject({
    id,
    version,
    theme: theme.json,
    settings: settings.json,
    publishedAt: publishedAt === undefined ? undefined : jsonOf(publishedAt),
  })
}

type FlowName = Readonly<Record<'id' | 'version', ByteString>>

const names = new Memo<Program, FlowName>(({ id, version }) => 64 + id.length + version.length)

function nameOf(program: Program): FlowName {
  const before = names.get(program)
  if (before) return before
  const written = { id: jsonOf(program.id), version: jsonOf(program.version) }
  names.keep(program, written, program.footprint)
  return written
}

function actionsOf({ conversation, output }: Turn, program: Program, isFirst: boolean) {
  const startAction = isFirst && conversation.isLive ? createStartPropsAction(program) : undefined
  const actions = startAction ? [startAction, ...output.actions] : output.actions
  return actions.length > 0 ? jsonList(actions) : undefined
}

function logsOf({ conversation, output }: Turn, program: Program, isFirst: boolean) {
  const startLog = isFirst && !conversation.isLive ? createStartPropsLog(program) : undefined
  if (output.logs.length === 0 && !startLog) return undefined
  const read = conversation.isLive ? logForVisitors : logForAuthors
  const logs = [...output.logs.map(read), startLog].filter((log) => log !== undefined)
  return logs.length > 0 ? jsonOf(logs) : undefined
}

function progressOf({ conversation, output }: Turn): ByteString | undefined {
  if (!conversation.isProgressTracked) return undefined
  const awaitsAction = output.actions.at(-1)?.value.expectsDedicatedReply === true
  const progress = computeProgress(conversation, awaitsAction)
  return progress === undefined ? undefined : jsonOf(progress)
}

/** The action by which the client loads what a live conversation needs; undefined when there is nothing to load. */
function createStartPropsAction({
  startProps,
  headCode,
}: Program): JsonFragment<ClientSideAction> | undefined {
  const { pixelIds, ...rest } = startProps
  const customHeadCode = headCode?.()
  const startPropsToInject = {
    ...rest,
    ...(pixelIds && { pixelIds: [...pixelIds] }),
    ...(customHeadCode !== undefined && { customHeadCode }),
  }
  if (Object.keys(startPropsToInject).length === 0) return undefined
  return new JsonFragment({ type: 'startPropsToInject', startPropsToInject })
}

/** The log of a preview instead: trackers and head code are for visitors only. */
function createStartPropsLog({ startProps, headCode }: Program): Log | undefined {
  const off = [
    headCode !== undefined && 'Custom head code',
    startProps.googleAnalyticsId !== undefined && 'Google Analytics',
    startProps.pixelIds !== undefined && 'Pixel',
    startProps.gtmId !== undefined && 'Google Tag Manager',
  ].filter((name) => name !== false)
  if (off.length === 0) return undefined
  const verb = off.length > 1 ? 'are' : 'is'
  return { status: 'info', description: `${off.join(', ')} ${verb} not enabled in Preview mode` }
}
