import type { ClientSideAction } from '../../../schemas/action.ts'
import type { Input } from '../../../schemas/input.ts'
import type { Log } from '../../../schemas/log.ts'
import type { Message } from '../../../schemas/message.ts'
import type { Settings } from '../../../schemas/settings.ts'
import { type ByteString, readJson } from '../../lib/byte-string.ts'
import type { Session, SessionChannel } from '../../sessions/session.ts'
import type { OutgoingEvent } from '../../stores/outgoing/outbox-store.ts'

/** A turn of a session on a messenger, by what it shows. */
export interface ChannelTurn {
  readonly session: Session
  readonly channel: SessionChannel
  /** Of the session, once the turn is kept. */
  readonly revision: number
  readonly messages: readonly Message[]
  readonly input: Input | undefined
  readonly clientSideActions: readonly ClientSideAction[] | undefined
  /** As a page gets them. */
  readonly logs?: readonly Log[] | undefined
  /** Of the flow that was started. */
  readonly settings: Settings
  /** Sent in place of all that, where a conversation is begun by the operator. */
  readonly template?: TemplateRequest | undefined
  /** How long more of an answer may come, in milliseconds: `files` of the channel are taken then. */
  readonly gathersMs?: number | undefined
}

/** A call of the API of a messenger that sends a message of a form that the messenger has approved. */
export interface TemplateRequest {
  readonly method: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A turn, as it is written for a messenger. */
export interface ChannelWriting {
  readonly channel: SessionChannel
  readonly outgoing: readonly OutgoingEvent[]
}

/** Writes turns for the messengers that their sessions are held on. */
export type ChannelOutput = (turn: ChannelTurn) => ChannelWriting

interface ShownTurn {
  /** As the turn leaves it, before it is serialised. */
  readonly session: Session
  readonly revision: number
  /** JSON with the messages and the input. */
  readonly response: ByteString
  readonly template?: TemplateRequest | undefined
  settings(): Settings | Promise<Settings>
}

/** Writes a turn for the messenger of its session; undefined where it is held on none, as most are. */
export async function writeForChannel(
  { session, revision, response, template, settings }: ShownTurn,
  { channelOutput }: { readonly channelOutput?: ChannelOutput | undefined },
): Promise<ChannelWriting | undefined> {
  const { channel } = session
  if (!channel || !channelOutput) return undefined
  const { messages = [], input, clientSideActions, logs } = readJson(response) as Partial<ChannelTurn>
  const shown = { messages, input: session.pause ? undefined : input, clientSideActions, logs }
  return channelOutput({ session, channel, revision, ...shown, template, settings: await settings() })
}
