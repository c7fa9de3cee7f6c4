import { randomUUID } from 'node:crypto'
import type fc from 'fast-check'
import { wholeDefinition } from '../../../support/conformance.ts'
import type { Json } from '../../../support/json.ts'
import type { Call } from '../arbitraries/call-parts.ts'
import type { Tried } from '../play.ts'

/** Attacks that do harm in the same way, told apart by a few parameters, so that a failure can be read. */
export interface AttackClass<Parameters> {
  readonly parameters: fc.Arbitrary<Parameters>
  /** Throws a `Complaint`. */
  play(parameters: Parameters, tried: Tried): Promise<void>
}

const json = { 'content-type': 'application/json' }

/** A request with a body that is sent as it is. */
export function posted(path: string, body: Json | string): Call {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method: 'POST', path, headers: json, body: undefined, text, bytes: [] }
}

/** A start of a draft. */
export function previewed(definition: Json, more: Json = {}): Call {
  // A draft that was seen before is not read again: what took long would not take long when it is repeated.
  const flow = wholeDefinition({ id: `draft-${randomUUID()}`, ...definition })
  const body = { flow, textBubbleContentFormat: 'markdown', ...more }
  return posted('/v1/flows/draft/preview/startChat', body)
}

/** A reply in the session that the last start opened. */
export function replied(message: string): Call {
  return posted('/v1/sessions/<session>/continueChat', { message, textBubbleContentFormat: 'markdown' })
}
