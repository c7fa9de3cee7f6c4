import { droppedAnswer, type IdempotencyKey, type NotEntered } from '../conversation-store.ts'
import type { Claim, KeptAnswers } from '../memory/kept-answers.ts'
import type { DataFolder } from './database.ts'
import type { AnswerRow } from './database-protocol.ts'

/**
 * Keys that requests are sent with. Those in flight are known in memory; the database knows the answers of earlier
 * processes too, and the session id that the first claim of a start has fixed.
 */
export interface IdempotencyClaims {
  find(claim: Claim): Promise<AnswerRow | undefined>
  claimStart(newId: string, idempotency: IdempotencyKey): Promise<Claim | NotEntered>
  isOfStart(claim: Claim): boolean
  drop(claim: Claim): Promise<void>
}

export const isClaim = (claim: Claim | NotEntered): claim is Claim => 'name' in claim

export function createIdempotencyClaims(
  { send, now }: DataFolder,
  { answers, answerMs }: { readonly answers: KeptAnswers; readonly answerMs: number },
): IdempotencyClaims {
  const starts = new WeakSet<Claim>()

  async function claimStart(newId: string, idempotency: IdempotencyKey): Promise<Claim | NotEntered> {
    const claim = answers.claimStart(newId, idempotency)
    if (!isClaim(claim)) return claim
    starts.add(claim)
    try {
      const there = await send('claim', { answer: { ...claim, text: undefined }, expires: now() + answerMs })
      const refusal = afterClaim(claim, there)
      if (refusal) answers.release(claim)
      if (refusal || !there || there.sessionId === claim.sessionId) return refusal ?? claim
      // The process that claimed it has ended on the way.
      answers.release(claim)
      return await claimStart(there.sessionId, idempotency)
    } catch (error) {
      answers.release(claim)
      throw error
    }
  }

  return {
    find: ({ name }) => send('find answer', { name }),
    claimStart,
    isOfStart: (claim) => starts.has(claim),
    drop: ({ name }) => send('unclaim', { name }),
  }
}

/** What the row of a key means for a request that has just claimed it; undefined when it may go on. */
export function afterClaim({ fingerprint }: Claim, there: AnswerRow | undefined): NotEntered | undefined {
  if (!there) return undefined
  if (there.text === droppedAnswer) return { state: 'answered', answer: droppedAnswer }
  if (there.fingerprint !== fingerprint) return { state: 'other request' }
  return there.text === undefined ? undefined : { state: 'answered', answer: there.text }
}
