import type { Flow } from '../../../schemas/flow.ts'
import type { IdleEvent, ProgramTimers } from '../model/program.ts'
import { durationMs } from '../values/duration.ts'

/** Bounds of the idle life that a flow gives its conversations. */
export const leastTtlMs = 60_000
export const mostTtlMs = 90 * 24 * 60 * 60_000

/** How long a visitor can be left without an answer. */
export const mostWindowMs = 30_000

/** When a flow acts by itself; undefined for one that never does. */
export function compileTimers({ events, settings }: Flow): ProgramTimers | undefined {
  const { sessionTtl, replyWindow = 'PT0S' } = settings.general ?? {}
  const idle: IdleEvent[] = []
  let expireEventId: string | undefined
  for (const event of events) {
    if (event.outgoingEdgeId === undefined) continue
    if (event.type === 'expire') expireEventId ??= event.id
    if (event.type !== 'idle') continue
    const { after, atMost = 1, groupIds } = event.options
    idle.push({ id: event.id, afterMs: durationMs(after), atMost, groupIds: groupIds && new Set(groupIds) })
  }
  const ttlMs =
    sessionTtl === undefined ? undefined : Math.min(Math.max(durationMs(sessionTtl), leastTtlMs), mostTtlMs)
  const replyWindowMs = Math.min(durationMs(replyWindow), mostWindowMs) || undefined
  if (idle.length === 0 && (expireEventId ?? ttlMs ?? replyWindowMs) === undefined) return undefined
  return { idle, expireEventId, ttlMs, replyWindowMs }
}
