import type { ChannelTemplate } from '../../schemas/channels.ts'
import type { IsOurs } from '../delivery/queue-pump.ts'
import type { HttpClient } from '../ports/http-client-port.ts'
import type { ApiRequest } from './outgoing.ts'

/** A request as it came in from a messenger, before anything in it is believed. */
export interface InboundRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly query: Readonly<Record<string, string>>
  /** The address that the messenger was given. */
  readonly url: string
  readonly body: Buffer
}

/** Person on a messenger. */
export interface ChannelUser {
  /** Names the person for this account for as long as they can be known by it. */
  readonly id: string
  /** Names that the same person has been known by, or may have been: a phone number, an id that was changed. */
  readonly otherIds?: readonly string[]
  readonly name?: string
  /** E.164. */
  readonly phone?: string
  /** BCP 47. */
  readonly locale?: string
}

/** A file that the messenger keeps. */
export interface MediaReference {
  readonly id: string
  readonly type?: string
  readonly name?: string
  readonly size?: number
}

/** A deed of somebody: `ignored` names one that has no effect. */
export type InboundContent =
  | { readonly kind: 'text'; readonly text: string }
  /** `id` is one of `pressId`. */
  | { readonly kind: 'press'; readonly id: string; readonly title?: string }
  /** A word behind a slash that messengers have buttons for; `text` is the whole as it was written. */
  | { readonly kind: 'command'; readonly command: string; readonly text: string }
  | {
      readonly kind: 'media'
      readonly media: MediaReference
      readonly caption?: string
      readonly isVoice?: true
    }
  | { readonly kind: 'location'; readonly latitude: number; readonly longitude: number }
  /** Nothing is said: who was known by one of `otherIds` is known by `id` from then on. */
  | { readonly kind: 'renamed' }
  | { readonly kind: 'ignored'; readonly what: string }

/** The ad or link that somebody came by. */
export interface Referral {
  readonly sourceId?: string
  readonly clickId?: string
}

/** A message as the inbox keeps it, as JSON. */
export interface InboundMessage {
  /** Of the messenger: the same however often it is delivered. */
  readonly id: string
  readonly user: ChannelUser
  /** Milliseconds since 1970, by the messenger's clock; absent where it says none. */
  readonly sentAt?: number
  readonly content: InboundContent
  readonly referral?: Referral
  /** Has to be acknowledged by a call of its own, as the press of a button on Telegram. */
  readonly acknowledge?: string
}

/** How a message that was sent has fared since. */
export interface StatusUpdate {
  /** Of the outbox, as it was sent along or was answered. */
  readonly reference: string
  readonly status: 'sent' | 'delivered' | 'read' | 'failed'
  readonly error?: SendProblem
}

/** All that one request brought, in its order. */
export interface Inbound {
  readonly messages: readonly InboundMessage[]
  readonly statuses: readonly StatusUpdate[]
  /** Sentences for the operator about what came and can't be used. */
  readonly warnings: readonly string[]
}

/** Why a message could not be sent. */
export interface SendProblem {
  /** `wait`: later. `never`: this message can't be sent. `window`: only a template can. `account`: nothing can be sent. */
  readonly kind: 'wait' | 'never' | 'window' | 'account'
  readonly message: string
  readonly retryAfterMs?: number
  /** It may have been sent all the same; where statuses come, one with its reference says so. */
  readonly isDoubtful?: true
}

export type SendResult =
  | {
      readonly state: 'sent'
      /** The messenger's name of the message. */
      readonly reference?: string
      /** How long a message that is sent next may overtake it, unless its status `sent` comes first. */
      readonly overtakableMs?: number
    }
  | { readonly state: 'failed'; readonly problem: SendProblem }

/** Needed for a call of a messenger. */
export interface CallDependencies {
  readonly http: Pick<HttpClient, 'stream'>
  readonly closing: AbortSignal
  /** Whether no other process says it before a call is over: asked before its first byte is sent. */
  readonly isOurs?: IsOurs | undefined
}

export interface Outbound {
  /** `ChannelUser.id` of whom it goes to. */
  readonly to: string
  readonly request: ApiRequest
  /** Comes back in statuses, where the messenger takes one. */
  readonly reference: string
}

/** Messages in a time that a messenger takes; what is beyond it waits. */
export interface Rate {
  readonly messages: number
  readonly perMs: number
  /** More than `messages` at once, which are borrowed from later. */
  readonly burst?: number
}

/** A file as it came, with its bytes still to be read. */
export interface DownloadedMedia {
  readonly type: string
  readonly name?: string
  readonly size?: number
  readonly body: AsyncIterable<Uint8Array>
}

/** Something about an account or a webhook that is not as it has to be, and what to do. */
export interface CheckFinding {
  readonly isProblem: boolean
  readonly message: string
}

export const problem = (message: string): CheckFinding => ({ isProblem: true, message })
export const fine = (message: string): CheckFinding => ({ isProblem: false, message })

/**
 * A messenger: reads what it sends and calls its API, for the data of one account. Whoever adds one writes this and a
 * `ChannelWriter` (docs/add-a-channel.md).
 */
export interface Messenger {
  /** Whether a request is from the messenger: compared in constant time, over the bytes as they came. */
  isGenuine(request: InboundRequest): boolean
  /** Answer to a request that only asks whether the address is ours; undefined where it is none or the token is wrong. */
  challengeOf?(request: InboundRequest): string | undefined
  /** Throws an error for people where the body is none of the messenger's. Kinds that are unknown are ignored messages. */
  parse(request: InboundRequest): Inbound
  /** Never rejects. */
  send(message: Outbound, deps: CallDependencies): Promise<SendResult>
  /** Shows that an answer is being made. Never rejects: it is a courtesy. */
  showTyping(message: Pick<InboundMessage, 'id' | 'user'>, deps: CallDependencies): Promise<void>
  /** Present where conversations can be begun by a message of an approved form. */
  writeTemplate?(template: ChannelTemplate): ApiRequest
  /** Never rejects. Present where presses have to be acknowledged. */
  acknowledge?(id: string, deps: CallDependencies): Promise<void>
  /** Rejects with an error for people, as for a file that has expired. */
  download(media: MediaReference, deps: CallDependencies): Promise<DownloadedMedia>
  /** Asks the messenger about the account and about the address that it sends to. */
  check(webhookUrl: string | undefined, deps: CallDependencies): Promise<readonly CheckFinding[]>
  /** Whether it tells how messages fare that were sent. */
  readonly tellsStatuses: boolean
  /** For one person, and for the account in all. */
  readonly rates: { readonly person: Rate; readonly account: Rate }
}
