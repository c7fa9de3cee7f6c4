import type { ClientSideAction } from '../../../schemas/action.ts'
import type { Message } from '../../../schemas/message.ts'
import type { Settings } from '../../../schemas/settings.ts'
import { contactKey } from '../../conversations/contact/met-contact.ts'
import type {
  ChannelOutput,
  ChannelTurn,
  ChannelWriting,
} from '../../conversations/outgoing/channel-output.ts'
import { contentHash } from '../../definition/content-hash.ts'
import type { AskedQuestion } from '../../sessions/session.ts'
import { destinationOf } from '../../stores/outgoing/endpoint-table.ts'
import type { OutgoingEvent } from '../../stores/outgoing/outbox-store.ts'
import type { Resumption } from '../inbox/inbox-row.ts'
import { offerOf } from '../options.ts'
import type { ApiRequest } from '../outgoing.ts'
import { renderAnswer } from '../render-answer.ts'
import { channelWordsOf, messageOf } from '../words.ts'

/** Something to be sent, as the outbox keeps it. */
export interface OutgoingBody {
  readonly to: string
  /** Absent where there is nothing to say, and only a pause. */
  readonly request?: ApiRequest
  /** How long what comes next waits. */
  readonly restMs?: number
  /** The message that is answered. */
  readonly heard?: string | undefined
  /** The session is to go on by itself then. */
  readonly resume?: Resumption
}

/** Something to be sent, before it is put into a line. */
type Item = Pick<OutgoingBody, 'request' | 'restMs' | 'resume'>

/** Writes turns for the messengers that their sessions are held on, as rows of the outbox. */
export const createChannelOutput =
  (publicUrl: string | undefined): ChannelOutput =>
  (turn) => {
    const asked = askedBy(turn)
    const isRepeated = asked !== undefined && asked.hash === turn.channel.asked?.hash
    const isSilent = isRepeated && turn.messages.length === 0
    const discloses = isDisclosure(turn)
    const shown = { ...turn, messages: messagesOf(turn, discloses), input: isSilent ? undefined : turn.input }
    const { template: request } = turn
    const items = request
      ? [{ request }]
      : itemsOf({ ...shown, turn: asked?.turn ?? turn.revision }, publicUrl)
    return {
      channel: {
        ...turn.channel,
        asked: asked ?? turn.channel.asked,
        awaitsPage: awaitsPage(turn),
        ...(discloses && { isDisclosed: true as const }),
      },
      outgoing: inLine([...items, ...resumptionOf(turn)], turn),
    }
  }

/** Messages of a turn. A page knows by the logs why a conversation ends that can ask for no payment: here it is told in words. */
function messagesOf({ messages, logs = [], settings }: ChannelTurn, discloses: boolean): readonly Message[] {
  const isUnpayable = logs.some(({ status, context }) => status === 'error' && context === 'payment input')
  const { aiDisclosure, unpayable } = channelWordsOf(settings)
  return [
    ...(discloses ? [messageOf(aiDisclosure)] : []),
    ...messages,
    ...(isUnpayable ? [messageOf(unpayable)] : []),
  ]
}

/** Whether a turn is the first to say something in a conversation that says first that a machine answers. */
function isDisclosure({ settings, channel, template, messages, input }: ChannelTurn): boolean {
  const isWanted = settings.general?.aiDisclosure === true && channel.isDisclosed !== true
  return isWanted && !template && (messages.length > 0 || input !== undefined)
}

/** The question that a turn asks; it is the one of before where that is asked again. */
function askedBy(turn: ChannelTurn): AskedQuestion | undefined {
  const { input, messages, channel, session, revision, settings } = turn
  if (!input) return undefined
  const hash = contentHash(JSON.stringify([session.answered, input]))
  if (hash === channel.asked?.hash) return channel.asked
  const { groups } = offerOf(input, { channel: channel.messenger, words: channelWordsOf(settings) })
  return {
    turn: firstTurnOf(session) + revision,
    hash,
    isNumbered: groups.some(({ form }) => form === 'numbers'),
    texts: textsBefore(messages),
  }
}

/** The last texts, which are kept with their question, are of so many characters as JSON at most. */
const mostKept = 4000

function textsBefore(messages: readonly Message[]): readonly Message[] {
  let kept: readonly Message[] = []
  for (const message of messages.toReversed()) {
    const more = [message, ...kept]
    if (message.type !== 'text' || JSON.stringify(more).length > mostKept) break
    kept = more
  }
  return kept
}

/** Whether a session waits for its page behind a turn; what it has waited for stays where the turn shows nothing of it. */
function awaitsPage({ input, messages, clientSideActions = [], session, channel }: ChannelTurn) {
  if (input || session.state !== 'waiting') return undefined
  const awaited = clientSideActions.filter(({ expectsDedicatedReply }) => expectsDedicatedReply === true)
  const last = messages.at(-1)
  if (last?.type === 'embed' && last.content.waitForEvent?.isEnabled) return true
  if (awaited.length > 0) return awaited.every(({ type }) => type !== 'wait') || undefined
  const isAsleep = session.timers?.some(({ type }) => type === 'wait')
  return isAsleep ? undefined : channel.awaitsPage
}

/** Has the files of a session be taken when no more come. */
function resumptionOf({ gathersMs, session }: ChannelTurn): readonly Item[] {
  return gathersMs === undefined
    ? []
    : [{ restMs: gathersMs }, { resume: { sessionId: session.id, isForFiles: true } }]
}

/** Turns of each session are counted from a number of its own: buttons of another conversation stay below it, and are none of this one. */
const firstTurnOf = ({ id }: ChannelTurn['session']): number =>
  Buffer.from(contentHash(id), 'base64url').readUInt32BE()

/** A part of an answer between two waits. */
interface Stretch {
  readonly messages: Message[]
  readonly actions: ClientSideAction[]
  /** Seconds to wait behind it. */
  seconds?: number
  /** Whether the flow goes on when that is over. */
  isResumed?: boolean
}

function itemsOf(shown: ChannelTurn & { readonly turn: number }, publicUrl: string | undefined): Item[] {
  const { channel, session, turn, settings, revision } = shown
  const page = pageOf(session, publicUrl)
  const terms = { channel: channel.messenger, words: channelWordsOf(settings), turn, page }
  const stretches = stretchesOf(shown)
  return stretches.flatMap(({ messages, actions, seconds = 0, isResumed }, index): Item[] => {
    const input = index === stretches.length - 1 ? shown.input : undefined
    const rendered = renderAnswer({ messages, input, clientSideActions: actions }, terms)
    const said = paced(
      rendered.flatMap(({ request }) => request ?? []),
      settings,
    )
    if (seconds > 0) rest(said, seconds * 1000)
    return isResumed ? [...said, { resume: { sessionId: session.id, revision } }] : said
  })
}

/** The page goes on with the session by what stands behind the #, which browsers send to nobody. */
function pageOf({ publicId, id }: ChannelTurn['session'], publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined || publicId === undefined) return undefined
  return `${publicUrl}/f/${encodeURIComponent(publicId)}#session=${encodeURIComponent(id)}`
}

/** Cuts an answer where the flow waits for some seconds. */
function stretchesOf({ messages, clientSideActions = [] }: ChannelTurn): Stretch[] {
  const places = new Map(messages.map(({ id }, index) => [id, index]))
  const placeOf = ({ lastBubbleBlockId: id }: ClientSideAction) =>
    id === undefined ? -1 : (places.get(id) ?? messages.length - 1)
  const first: Stretch = { messages: [], actions: [] }
  const stretches = [first]
  let last = first
  for (let place = -1; place < messages.length; place++) {
    const message = messages[place]
    if (message) last.messages.push(message)
    for (const action of clientSideActions) {
      if (placeOf(action) !== place) continue
      if (action.type !== 'wait') last.actions.push(action)
      else {
        const isResumed = action.expectsDedicatedReply === true
        Object.assign(last, { seconds: action.wait.secondsToWaitFor, isResumed })
        last = { messages: [], actions: [] }
        stretches.push(last)
      }
    }
  }
  return stretches
}

/** Requests with a pause behind each but the last, as if somebody typed the next one. */
function paced(requests: readonly ApiRequest[], settings: Settings): Item[] {
  return requests.map((request, index) => {
    const next = requests[index + 1]
    const restMs = next ? typingMs(next, settings) : 0
    return restMs > 0 ? { request, restMs } : { request }
  })
}

/** Has what comes behind wait; where nothing stands before it, the pause stands alone. */
function rest(items: Item[], ms: number): void {
  const last = items.at(-1)
  if (last) items[items.length - 1] = { ...last, restMs: (last.restMs ?? 0) + ms }
  else items.push({ restMs: ms })
}

function inLine(items: readonly Item[], turn: ChannelTurn): ChannelWriting['outgoing'] {
  const { session, channel, revision } = turn
  const { contact, id: sessionId } = session
  const name = contentHash(sessionId)
  return items.map((item, index): OutgoingEvent => {
    const body: OutgoingBody = { to: channel.to, heard: channel.heard, ...item }
    return {
      destination: destinationOf(channel.name, 'channel'),
      line: contact ? contactKey(contact) : sessionId,
      sessionId,
      eventId: `${name}:${revision}:${index}`,
      type: item.resume ? 'resume' : item.request ? 'message' : 'pause',
      body: JSON.stringify(body),
    }
  })
}

/** The longest pause that a flow gets before a bubble, in seconds. */
const longestTyping = 10

/** Milliseconds for which a flow wants its visitors to wait for a message, as if somebody typed it. */
function typingMs({ body }: ApiRequest, { typingEmulation }: Settings): number {
  const { enabled = true, speed = 400, maxDelay = 3, delayBetweenBubbles = 0 } = typingEmulation ?? {}
  if (!enabled) return 0
  const words = longestText(body).split(/\s+/).filter(Boolean).length
  const typing = Math.min((words / Math.max(Number(speed), 1)) * 60, Number(maxDelay))
  const seconds = typing + Math.min(Number(delayBetweenBubbles), 5)
  return Math.round(Math.min(Math.max(seconds, 0), longestTyping) * 1000)
}

/** Of a message, that is what it says: addresses have no blanks. */
function longestText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  const texts = Object.values(value).map(longestText)
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}
