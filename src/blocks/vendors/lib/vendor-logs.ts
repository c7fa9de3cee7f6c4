import type { VendorOutcome } from '../../../engine/model/effect-payloads.ts'
import type { LogEntry } from '../../../engine/model/log-entry.ts'
import { detailRefusal } from '../../../engine/values/detail-refusal.ts'

/** Characters of an answer that a log quotes. */
const quotedCharacters = 1000

/** Something that the author has to set right, as a log that visitors see too. */
export function reportProblem(description: string, details?: string): LogEntry {
  return {
    audience: 'visitors',
    status: 'error',
    description,
    ...(details !== undefined && { details }),
  }
}

export function reportNote(description: string, details?: string): LogEntry {
  return { audience: 'visitors', status: 'info', description, ...(details !== undefined && { details }) }
}

/** The log for a call that did not succeed; its details are for the author, since they quote the vendor. */
export function describeVendorFailure(outcome: VendorOutcome, vendor: string): LogEntry {
  switch (outcome.kind) {
    case 'no account':
      return reportProblem(`Could not find credentials for block ${vendor}`)
    case 'off':
      return reportNote(outcome.reason)
    case 'spent':
    case 'no room':
      return reportProblem(outcome.reason)
    case 'response':
      return failure(vendor, `answered ${outcome.status}`, detailRefusal(outcome.status, outcome.text))
    case 'timeout':
      return failure(vendor, 'did not answer in time')
    case 'refused':
      return failure(vendor, 'could not be reached', outcome.reason)
    case 'failed':
      return failure(vendor, 'could not be reached', outcome.message)
  }
}

/** The log for an answer that is not what the vendor documents. */
export function describeUnreadableAnswer(vendor: string, text: string): LogEntry {
  return failure(vendor, 'answered what can not be read', text)
}

function failure(vendor: string, what: string, quoted?: string): LogEntry {
  return {
    audience: 'visitors without details',
    status: 'error',
    context: vendor,
    description: `The service of ${vendor} ${what}`,
    ...(quoted !== undefined && { details: quoted.slice(0, quotedCharacters) }),
  }
}
