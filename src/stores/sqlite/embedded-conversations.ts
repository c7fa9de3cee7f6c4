import { createGoneSessions } from '../memory/gone-sessions.ts'
import { createKeptAnswers, type KeptAnswersOptions } from '../memory/kept-answers.ts'
import { createLines } from '../memory/lines.ts'
import { createSessionTexts, type SessionTextsOptions } from '../memory/session-texts.ts'
import { createSubscribers } from '../memory/subscribers.ts'
import { createConversationCache } from './conversation-cache.ts'
import type { DataFolder } from './database.ts'
import { createIdempotencyClaims } from './idempotency-claims.ts'
import type { SqliteLease } from './sqlite-lease.ts'

export interface EmbeddedConversationsOptions {
  readonly folder: DataFolder
  /** Bounds of the cache, and of previews, which are kept nowhere else. */
  readonly sessions: Omit<SessionTextsOptions, 'now' | 'forgotten'> & { readonly maxQueuedTurns: number }
  /** In memory. */
  readonly answers: Omit<KeptAnswersOptions, 'now'>
}

/** How many previews that are gone are remembered at least. */
const leastRemembered = 10_000

/** What the handles on one data folder share. */
export type EmbeddedConversations = ReturnType<typeof createEmbeddedConversations>

export function createEmbeddedConversations(options: EmbeddedConversationsOptions) {
  const { folder } = options
  const { now } = folder
  const gone = createGoneSessions({ least: leastRemembered, ttlMs: options.sessions.ttlMs, now })
  const sessions = createSessionTexts({ ...options.sessions, now, forgotten: gone.add })
  const answers = createKeptAnswers({ ...options.answers, now })
  const answerMs = options.answers.ttlMs
  return {
    folder,
    sessions,
    gone,
    cache: createConversationCache(folder, { sessions, maxBytes: options.sessions.maxBytes }),
    answers,
    claims: createIdempotencyClaims(folder, { answers, answerMs }),
    answerMs,
    lines: createLines<SqliteLease>(options.sessions.maxQueuedTurns),
    subscribers: createSubscribers(),
  }
}
