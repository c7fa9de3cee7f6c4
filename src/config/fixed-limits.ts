import type { TurnLimits } from '../conversations/dependencies.ts'
import { usualLimits } from '../engine/model/limits.ts'

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

const bounds = {
  /** Of a request body. */
  bodyBounds: { values: 300_000, keys: 20_000, shapes: 5_000, levels: 500 },
  /** Bytes of all request bodies that arrive or are being answered. */
  bodiesMaxBytes: 64 * mebibyte,
  /** Answers that their clients have not read: bytes of all, and how long a client may read nothing. */
  unread: { maxBytes: 64 * mebibyte, maxMs: 30_000 },
  /** Turns that take long and wait to go on, before others are refused; previews are those without a token. */
  heavyTurns: { maxPreviews: 8, max: 32 },
  /** Of previews that were started without a token, where these are narrower. */
  openPreviewLimits: {
    blocksPerTurn: 500,
    blockMs: 250,
    turnMs: 2_000,
    wholeTurnMs: 30_000,
    callsPerTurn: 10,
    codeMs: 500,
    codeTurnMs: 1_500,
  },
  /** Milliseconds for the tests of a draft. */
  flowTestsMs: 5_000,
  /** Events that are kept to be sent, and how long those that arrived or were set aside stay known. */
  outbox: { maxEvents: 500_000, deliveredMs: dayMs, setAsideMs: 7 * dayMs },
  /**
   * Messages of messengers that wait to be answered, of all persons and of one, and those that are known with them.
   * Messengers deliver one again for up to 7 days.
   */
  inbox: { maxWaiting: 50_000, maxOfLine: 200, maxEvents: 5_000_000, knownMs: 7 * dayMs },
}

for (const part of Object.values(bounds)) Object.freeze(part)

/** Bounds of the service that no variable sets: beyond what any use needs, and short of what harms other callers. */
export const fixedBounds = Object.freeze(bounds)

/** Requests that wait for one session before others are refused. */
export const maxQueuedTurns = 16

/** Spans that wait to be sent. */
export const maxSpans = 2_048

/** Characters of the recording of one session. */
export const recordingMaxLength = 256 * 1024

/** The limits by which a stranger's preview may be bound more narrowly than other turns. */
export type AnonymousPreviewLimits = typeof bounds.openPreviewLimits

/** The limits with others in their place, as far as those are narrower. */
export function minLimits(limits: TurnLimits, own: AnonymousPreviewLimits): TurnLimits {
  const names = Object.keys(own) as (keyof AnonymousPreviewLimits)[]
  const narrower = names.map((name) => [name, Math.min(limits[name] ?? own[name], own[name])])
  return { ...limits, ...Object.fromEntries(narrower) }
}
