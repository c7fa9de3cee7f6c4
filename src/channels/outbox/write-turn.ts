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
import { destinationOf } from '../../stores/outgoing/endpoint-table.ts'
import type { OutgoingEvent } from '../../stores/outgoing/outbox-store.ts'
import type { AskedQuestion } from '../../stores/session.ts'
import { offerOf } from '../options.ts'
import type { OutgoingRequest } from '../outgoing.ts'
import { renderAnswer } from '../render-answer.ts'
import { channelWordsOf } from '../words.ts'
import { typingMs } from './typing.ts'

/** Something to be sent, as the outbox keeps it. */
export interface OutgoingBody {
  readonly to: string
  /** Absent where there is nothing to say, and only a pause. */
  readonly request?: OutgoingRequest
  /** How long what comes next waits. */
  readonly restMs?: number
  /** The message that is answered. */
  readonly heard?: string | undefined
  /** The session is to go on by itself then, as of a revision. */
  readonly resume?: { readonly sessionId: string; readonly revision: number }
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
    const shown = isSilent ? { ...turn, input: undefined } : turn
    const { template: request } = turn
    const items = request
      ? [{ request }]
      : itemsOf({ ...shown, turn: asked?.turn ?? turn.revision }, publicUrl)
    return {
      channel: { ...turn.channel, asked: asked ?? turn.channel.asked },
      outgoing: inLine(items, turn),
    }
  }

/** The question that a turn asks; it is the one of before where that is asked again. */
function askedBy({ input, channel, session, revision, settings }: ChannelTurn): AskedQuestion | undefined {
  if (!input) return undefined
  const hash = contentHash(JSON.stringify([session.answered, input]))
  if (hash === channel.asked?.hash) return channel.asked
  const { groups } = offerOf(input, { channel: channel.messenger, words: channelWordsOf(settings) })
  return {
    turn: firstTurnOf(session) + revision,
    hash,
    isNumbered: groups.some(({ form }) => form === 'numbers'),
  }
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
function paced(requests: readonly OutgoingRequest[], settings: Settings): Item[] {
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
