import type { ClientSideAction } from '../../schemas/action.ts'
import type { Input } from '../../schemas/input.ts'
import type { Message } from '../../schemas/message.ts'
import type { UserMessage } from '../../schemas/user-message.ts'
import { continueChat } from '../conversations/continue/continue-chat.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import type { WaitOptions } from '../conversations/events/webhook-wait.ts'
import { getSession } from '../conversations/get-session/get-session.ts'
import type { Logged } from '../conversations/request.ts'
import { startPublishedChat } from '../conversations/start/start-published-chat.ts'
import { type ByteString, readJson } from '../lib/byte-string.ts'
import { ServiceError } from '../lib/errors.ts'
import { anonymous } from '../ports/caller.ts'
import { needsPage } from './form.ts'
import type { OpenQuestion } from './sealed-state.ts'

/** Somebody who talks to a flow by an assistant: to the flow, a visitor as any other. */
export interface Visitor extends Logged {
  readonly address: string
  readonly acceptLanguage: string | undefined
  readonly wait: WaitOptions
}

/** Messages of one turn, and what it asks a client to do. */
export interface Uttered {
  readonly messages: readonly Message[]
  readonly actions: readonly ClientSideAction[]
}

/** State of a conversation after a call. */
export interface Standing extends OpenQuestion {
  /** Turn by turn. */
  readonly said: readonly Uttered[]
  readonly input: Input | undefined
  /** Its reason to wait, where that is no answer; undefined where it is over or asks. */
  readonly waitsFor: 'page' | 'time' | 'person' | 'call' | undefined
  readonly isOver: boolean
}

/** Parts of the answer of a turn, or of a look, that matter here. */
interface TurnAnswer {
  readonly sessionId?: string
  readonly messages?: readonly Message[]
  readonly input?: Input
  readonly clientSideActions?: readonly ClientSideAction[]
  readonly wakesAt?: string
  readonly paused?: object
  /** Of a look. */
  readonly waitingFor?: 'input' | 'action' | 'webhook' | 'timer' | 'person'
}

/** Pauses that are for eyes alone, and are gone over: more than any flow shows in one go. */
const mostPauses = 20

const textBubbleContentFormat = 'markdown'

type Sources = { readonly visitor: Visitor; readonly chat: ChatDependencies }

/** Starts a flow with what the assistant knows already. Throws as the start over HTTP does. */
export async function startFlow(
  publicId: string,
  prefilledVariables: Readonly<Record<string, unknown>>,
  { visitor, chat }: Sources,
): Promise<Standing> {
  const { address, acceptLanguage, requestLog } = visitor
  const body = { prefilledVariables, textBubbleContentFormat } as const
  const version = versionKeeper()
  const asked = { publicId, origin: undefined, address, acceptLanguage, requestLog, body }
  const started = readJson(
    await startPublishedChat({ ...asked, onVersion: version.keep }, chat),
  ) as TurnAnswer
  const sessionId = started.sessionId ?? ''
  return goOver({ publicId, sessionId, version: version.value }, started, { visitor, chat })
}

/** Answers what waits. Throws as the continue over HTTP does: PRECONDITION_FAILED for what was answered already. */
export async function answerFlow(
  open: OpenQuestion,
  message: UserMessage | undefined,
  sources: Sources,
): Promise<Standing> {
  const { answer, version } = await goOn(open, message, sources)
  return goOver({ ...open, version }, answer, sources)
}

/** Looks what a conversation waits for, and what it said by itself. It is over where it has ended elsewhere. */
export async function lookAtFlow(open: OpenQuestion, { chat }: Pick<Sources, 'chat'>): Promise<Standing> {
  const { sessionId } = open
  const version = versionKeeper()
  const named = { sessionId, caller: anonymous, origin: undefined, onVersion: version.keep }
  try {
    const state = readJson(await getSession(named, chat)) as TurnAnswer
    return standingOf({ ...open, version: version.value }, state)
  } catch (error) {
    if (!hasEnded(error)) throw error
    return { ...open, said: [], input: undefined, waitsFor: undefined, isOver: true }
  }
}

const hasEnded = (error: unknown) =>
  error instanceof ServiceError && error.code === 'NOT_FOUND' && error.extension?.reason === 'ended'

async function goOn(
  { sessionId, version }: OpenQuestion,
  message: UserMessage | undefined,
  { visitor, chat }: Sources,
): Promise<{ readonly answer: TurnAnswer; readonly version: string }> {
  const next = versionKeeper()
  const { requestLog, wait } = visitor
  const body = { textBubbleContentFormat, ...(message !== undefined && { message }) } as const
  const asked = { sessionId, caller: anonymous, origin: undefined, body, wait, requestLog }
  const versions = { ifVersion: [version], onVersion: next.keep }
  const answer: ByteString = await continueChat({ ...asked, ...versions }, chat)
  return { answer: readJson(answer) as TurnAnswer, version: next.value }
}

/** Goes on where a page would do so by itself, until something is asked of the visitor or nothing follows. */
async function goOver(open: OpenQuestion, first: TurnAnswer, sources: Sources): Promise<Standing> {
  let [turn, version] = [first, open.version]
  const said = [saidIn(first)]
  let isCalled = false
  for (let pauses = 0; pauses < mostPauses; pauses += 1) {
    const due = dueIn(turn)
    if (due?.type !== 'wait' && (due?.type !== 'listenForWebhook' || isCalled)) break
    isCalled = due.type === 'listenForWebhook'
    const next = await goOn({ ...open, version }, undefined, sources)
    turn = next.answer
    version = next.version
    said.push(saidIn(turn))
  }
  return { ...standingOf({ ...open, version }, turn), said }
}

function standingOf(open: OpenQuestion, turn: TurnAnswer): Standing {
  const { input } = turn
  const waitsFor = reasonToWait(turn)
  return { ...open, said: [saidIn(turn)], input, waitsFor, isOver: !input && waitsFor === undefined }
}

const saidIn = ({ messages = [], clientSideActions: actions = [] }: TurnAnswer): Uttered => ({
  messages,
  actions,
})

function reasonToWait({ input, ...turn }: TurnAnswer): Standing['waitsFor'] {
  if (turn.paused) return 'person'
  if (turn.wakesAt !== undefined) return 'time'
  const due = dueIn(turn)
  if (due?.type === 'listenForWebhook' || turn.waitingFor === 'webhook') return 'call'
  if (due?.type === 'wait') return 'time'
  if (due || turn.waitingFor === 'action') return 'page'
  if (input) return needsPage(input) ? 'page' : undefined
  const isEmbedAwaited = turn.messages?.some(
    (one) => one.type === 'embed' && one.content.waitForEvent?.isEnabled,
  )
  return isEmbedAwaited ? 'page' : undefined
}

const dueIn = ({ clientSideActions = [] }: TurnAnswer) =>
  clientSideActions.find(({ expectsDedicatedReply }) => expectsDedicatedReply)

function versionKeeper() {
  const kept = {
    value: '',
    keep(version: string) {
      kept.value = version
    },
  }
  return kept
}
