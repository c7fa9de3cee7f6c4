import type { RequestOutcome, VendorOutcome } from '../engine/model/effect-payloads.ts'
import { ask, type Effects, isUnfinished } from '../engine/model/effects.ts'
import { ExplainedError } from '../engine/model/log-entry.ts'
import { type CheckedEffect, checkEffect } from './check-data.ts'
import type { RequestAnswer } from './kit/block-kit.ts'

/** Effects of one run: a loop that asks on and on ends there. */
const mostEffects = 100

const usualTimeoutMs = 10_000

/** The type of account whose address and key a block calls with. */
export const accountType = 'http'

/** Work of own code: its result goes to `finish`. */
interface OwnWork<Result> {
  /** Names the work in errors. */
  readonly name: string
  /** Returned by the code: a result, or a generator of the kit's effects. */
  readonly begun: unknown
  /** Counts characters that came in. */
  spend(characters: number): void
  /** Throws for a result that is not what the kit says. */
  finish(result: unknown): Result
}

/** Has code of an operator come to its result, and answers what it asks for. Throws where it breaks the rules of the kit. */
export function runOwn<Result>(work: OwnWork<Result>): Result | Effects<Result> {
  const { begun, name, finish } = work
  if (begun instanceof Promise) {
    // Nobody else looks at what becomes of it.
    begun.catch(() => undefined)
    throw new ExplainedError(`${name} returned a promise: make it a generator, and yield* what it asks for`)
  }
  return isUnfinished(begun) ? drive(begun, work) : finish(begun)
}

function* drive<Result>(
  code: Generator<unknown, unknown, unknown>,
  { name, spend, finish }: OwnWork<Result>,
): Effects<Result> {
  let answer: unknown
  for (let asked = 0; asked <= mostEffects; asked++) {
    const { done, value } = code.next(answer)
    if (done) return finish(value)
    answer = yield* perform(checkEffect(value, `${name} asked for what is no effect`), spend)
  }
  code.return(undefined)
  throw new ExplainedError(`${name} asked for more than ${mostEffects} effects`)
}

function* perform(effect: CheckedEffect, spend: OwnWork<unknown>['spend']): Effects<unknown> {
  switch (effect.type) {
    case 'now':
    case 'random':
    case 'id':
      return yield* ask(effect)
    case 'mail':
      return yield* sendMail(effect.mail)
    case 'request':
      return answerOf(yield* ask({ type: 'request', request: requestOf(effect.request) }), spend)
    case 'account call':
      return answerOf(yield* ask({ type: 'callVendor', call: vendorCallOf(effect.call) }), spend)
  }
}

function* sendMail({ account, ...mail }: Extract<CheckedEffect, { type: 'mail' }>['mail']): Effects<unknown> {
  const whole = { ...mail, credentialsId: account, cc: [], bcc: [], attachments: [] }
  const outcome = yield* ask({ type: 'mail', mail: whole })
  return outcome.kind === 'sent' ? { ok: true } : { ok: false, problem: outcome.message }
}

const jsonHeader = ['content-type', 'application/json'] as const

function requestOf(request: Extract<CheckedEffect, { type: 'request' }>['request']) {
  const { url, json, body, timeoutMs = usualTimeoutMs } = request
  const text = json === undefined ? body : JSON.stringify(json)
  const named = Object.entries(request.headers ?? {})
  const hasType = json === undefined || named.some(([name]) => name.toLowerCase() === jsonHeader[0])
  return {
    method: request.method ?? (text === undefined ? 'GET' : 'POST'),
    url,
    headers: hasType ? named : [...named, jsonHeader],
    ...(text !== undefined && { body: text }),
    timeoutMs,
  }
}

function vendorCallOf(call: Extract<CheckedEffect, { type: 'account call' }>['call']) {
  const { account, path, json, headers = {}, timeoutMs = usualTimeoutMs } = call
  return {
    vendor: accountType,
    credentialsId: account,
    method: call.method ?? (json === undefined ? 'GET' : 'POST'),
    path,
    headers: Object.entries(headers),
    ...(json !== undefined && { json }),
    timeoutMs,
  }
}

/** Reading a response is that much quicker than making texts. */
const responseWeight = 1 / 16

function answerOf(
  outcome: RequestOutcome | VendorOutcome,
  spend: (characters: number) => void,
): RequestAnswer {
  if (outcome.kind !== 'response') return { ok: false, text: '', problem: problemOf(outcome) }
  const { status, text } = outcome
  spend(Math.ceil(text.length * responseWeight))
  return { ok: status >= 200 && status <= 299, status, text }
}

function problemOf(outcome: Exclude<RequestOutcome | VendorOutcome, { kind: 'response' }>): string {
  switch (outcome.kind) {
    case 'timeout':
      return 'There was no answer in time'
    case 'failed':
      return outcome.message
    case 'no account':
      return `There is no account of the type ${accountType} for this flow`
    default:
      return outcome.reason
  }
}
