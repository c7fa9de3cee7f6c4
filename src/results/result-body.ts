import type { ResultBody } from '../../schemas/result.ts'
import { sessionHash } from '../lib/session-hash.ts'
import type { Result } from '../stores/result-store.ts'
import { isImported } from './import/imported-id.ts'
import type { DescribeVisit } from './result-visits.ts'

/** The result as its operator reads it. Ids of variables mean nothing outside, and the id of the session would let its reader go on with the talk. */
export function resultBody(
  { lastChatSessionId, locale, visit, retention: _retention, masked: _masked, ...result }: Result,
  describe: DescribeVisit,
): ResultBody {
  return {
    ...result,
    conversation: sessionHash(lastChatSessionId),
    createdAt: new Date(result.createdAt).toISOString(),
    updatedAt: new Date(result.updatedAt).toISOString(),
    variables: result.variables.map(({ name, value }) => ({
      name,
      value: value as ResultBody['variables'][0]['value'],
    })),
    answers: result.answers as ResultBody['answers'],
    transcript: [...result.transcript],
    logs: result.logs.map(({ time, ...log }) => ({ ...log, time: new Date(time).toISOString() })),
    ...(locale !== undefined && { locale }),
    ...(visit && { visit: describe(visit) }),
    ...(isImported(result) && { isImported: true as const }),
  }
}
