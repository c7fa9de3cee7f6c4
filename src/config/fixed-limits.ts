import type { TurnLimits } from '../conversations/dependencies.ts'
import { usualLimits } from '../engine/model/limits.ts'
import type { JsonBounds } from '../lib/json-bounds.ts'

const mebibyte = 1024 * 1024

const dayMs = 24 * 60 * 60 * 1000

/** The limits of a turn that no variable sets (docs/behaviour/walk.md, "Limits"). */
export const fixedTurnLimits = Object.freeze({
  ...usualLimits,
  replyLength: 16_384,
  messagesPerTurn: 500,
  charactersPerTurn: 8 * mebibyte,
  linkDepth: 50,
  returnMarks: 100,
  variableLength: 65_536,
  variablesLength: 1_048_576,
  blockMs: 1_000,
  codeTurnMs: 3_000,
}) satisfies Partial<TurnLimits>

/** Bounds of the service that no variable sets: beyond what any use needs, and short of what harms other callers. */
export const fixedBounds = Object.freeze<FixedBounds>({
  bodyBounds: Object.freeze({ values: 300_000, keys: 20_000, shapes: 5_000, levels: 500 }),
  bodiesMaxBytes: 64 * mebibyte,
  unread: Object.freeze({ maxBytes: 64 * mebibyte, maxMs: 30_000 }),
  heavyTurns: Object.freeze({ maxPreviews: 8, max: 32 }),
  openPreviewLimits: Object.freeze({
    blocksPerTurn: 500,
    blockMs: 250,
    turnMs: 2_000,
    wholeTurnMs: 30_000,
    callsPerTurn: 10,
    codeMs: 500,
    codeTurnMs: 1_500,
  }),
  flowTestsMs: 5_000,
  outbox: Object.freeze({
    maxEvents: 500_000,
    deliveredMs: dayMs,
    setAsideMs: 7 * dayMs,
  }),
  inbox: Object.freeze({
    maxWaiting: 50_000,
    maxOfLine: 200,
    maxEvents: 5_000_000,
    knownMs: 7 * dayMs,
  }),
})

interface FixedBounds {
  /** Bounds of a request body. */
  readonly bodyBounds: JsonBounds
  /** Bytes of all request bodies that arrive or are being answered. */
  readonly bodiesMaxBytes: number
  /** Answers that their clients have not read: bytes of all, and how long a client may read nothing. */
  readonly unread: { readonly maxBytes: number; readonly maxMs: number }
  /** Turns that take long and wait to go on, before others are refused; previews are those without a token. */
  readonly heavyTurns: { readonly maxPreviews: number; readonly max: number }
  /** Of previews that were started without a token, where these are narrower. */
  readonly openPreviewLimits: AnonymousPreviewLimits
  /** Milliseconds for the tests of a draft. */
  readonly flowTestsMs: number
  /** Events that are kept to be sent, and how long those that arrived or were set aside stay known. */
  readonly outbox: {
    readonly maxEvents: number
    readonly deliveredMs: number
    readonly setAsideMs: number
  }
  /**
   * Messages of messengers that wait to be answered, of all persons and of one, and those that are known with them.
   * Messengers deliver one again for up to 7 days.
   */
  readonly inbox: {
    readonly maxWaiting: number
    readonly maxOfLine: number
    readonly maxEvents: number
    readonly knownMs: number
  }
}

/** Requests that wait for one session before others are refused. */
export const maxQueuedTurns = 16

/** Spans that wait to be sent. */
export const maxSpans = 2_048

/** Characters of the recording of one session. */
export const recordingMaxLength = 256 * 1024

/** The limits by which a stranger's preview may be bound more narrowly than other turns. */
export type AnonymousPreviewLimits = Pick<
  Required<TurnLimits>,
  'blocksPerTurn' | 'turnMs' | 'blockMs' | 'wholeTurnMs' | 'callsPerTurn' | 'codeMs' | 'codeTurnMs'
>

/** The limits with others in their place, as far as those are narrower. */
export function minLimits(limits: TurnLimits, own: AnonymousPreviewLimits): TurnLimits {
  return {
    ...limits,
    blocksPerTurn: Math.min(limits.blocksPerTurn, own.blocksPerTurn),
    turnMs: Math.min(limits.turnMs, own.turnMs),
    blockMs: Math.min(limits.blockMs, own.blockMs),
    wholeTurnMs: Math.min(limits.wholeTurnMs, own.wholeTurnMs),
    callsPerTurn: Math.min(limits.callsPerTurn, own.callsPerTurn),
    codeMs: own.codeMs,
    codeTurnMs: Math.min(limits.codeTurnMs, own.codeTurnMs),
  }
}
