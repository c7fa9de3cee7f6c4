import type { Mocks } from '../../../../schemas/mocks.ts'
import type { CallEntry } from '../../../conversations/turn/journal.ts'
import type {
  CompletionOutcome,
  MailOutcome,
  RequestOutcome,
  VendorOutcome,
} from '../../../engine/model/effect-payloads.ts'
import { maskUrl } from '../../../engine/values/mask-url.ts'

type Rule<K extends 'http' | 'vendors' | 'models'> = NonNullable<Mocks[K]>[number]

/** Characters of an id that is known again wherever it stands. */
const shortestId = 12

/** Makes rules of what the effects of a conversation were answered, in their order. */
export class MockCollector {
  readonly #http: Rule<'http'>[] = []
  readonly #vendors: Rule<'vendors'>[] = []
  readonly #models: Rule<'models'>[] = []
  readonly #random: number[] = []
  readonly #moments = new Map<number, number>()
  #hasChance = false
  #refusesMails = false
  readonly #resultId: string | undefined
  #drawnIds = 0
  /** The value that a test draws for each id. */
  readonly #ids = new Map<string, string>()

  /** `resultId` is that of a live conversation. */
  constructor(resultId: string | undefined) {
    this.#resultId = resultId
  }

  /** `turn` counts from 0. */
  take(turn: number, { effect, outcome, block }: CallEntry): void {
    if (!('answer' in outcome)) return
    const { answer } = outcome
    const at = block === undefined ? {} : { block: block.id }
    switch (effect.type) {
      case 'now':
        if (!this.#moments.has(turn) && isMoment(answer)) this.#moments.set(turn, answer)
        return
      case 'random':
        this.#hasChance = true
        this.#random.push(answer as number)
        return
      case 'id':
        this.#nameId(answer as string)
        return
      case 'evaluate':
        // With fixed randomness each piece of code draws a number first.
        for (const _ of effect.jobs) this.#random.push(0)
        return
      case 'request': {
        const { method, url } = effect.request
        const match = { method, url: this.#matchOf(url), ...at }
        this.#http.push({ match, ...this.#replyOf(answer as RequestOutcome), times: 1 })
        return
      }
      case 'callVendor': {
        const { vendor, method, path } = effect.call
        const { facts } = answer as { facts?: Readonly<Record<string, string>> }
        const match = { vendor, method, path: this.#matchOf(path), ...at }
        const reply = this.#replyOf(answer as VendorOutcome)
        this.#vendors.push({ match, ...reply, ...(facts && { facts }), times: 1 })
        return
      }
      case 'complete':
        this.#models.push({ match: at, ...this.#completionOf(answer as CompletionOutcome), times: 1 })
        return
      case 'mail':
        if ((answer as MailOutcome).kind !== 'sent') this.#refusesMails = true
    }
  }

  /** A text with the ids that a test draws in the place of those that were. */
  inTest(text: string): string {
    let written = text
    for (const [drawn, id] of this.#ids) written = written.replaceAll(drawn, id)
    return written
  }

  /** When a turn took place, in milliseconds since 1970; undefined for one that did not ask. */
  momentOf(turn: number): number | undefined {
    return this.#moments.get(turn)
  }

  get mocks(): Mocks {
    const [moment] = this.#moments.values()
    return {
      ...(moment !== undefined && { clock: new Date(moment).toISOString() }),
      ...(this.#hasChance && { random: this.#random }),
      ...((this.#drawnIds > 0 || this.#resultId !== undefined) && { ids: 'count' }),
      ...(this.#http.length > 0 && { http: this.#http }),
      ...(this.#vendors.length > 0 && { vendors: this.#vendors }),
      ...(this.#models.length > 0 && { models: this.#models }),
      ...(this.#refusesMails && { mail: 'refuse' }),
    }
  }

  /** A masked value fits anything, and so does the result's id, as a test has no result. */
  #matchOf(address: string): string {
    const written = this.inTest(maskUrl(address))
    return this.#resultId ? written.replaceAll(this.#resultId, '*') : written
  }

  #nameId(id: string): void {
    this.#drawnIds += 1
    // A shorter one is none that was drawn, and may stand anywhere by chance.
    if (id.length >= shortestId) this.#ids.set(id, `value-${this.#drawnIds}`)
  }

  #replyOf(answer: RequestOutcome | VendorOutcome): Pick<Rule<'http'>, 'reply' | 'fail'> {
    switch (answer.kind) {
      case 'response':
        return { reply: { status: answer.status, ...bodyOf(this.inTest(answer.text)) } }
      case 'timeout':
      case 'refused':
        return { fail: answer.kind }
      default:
        return { fail: 'failed' }
    }
  }

  #completionOf(answer: CompletionOutcome): Pick<Rule<'models'>, 'reply' | 'tool' | 'fail' | 'tokens'> {
    if (answer.kind === 'failed') return { fail: answer.message }
    if (answer.kind === 'no account') return { fail: 'There is no such account' }
    const { choices = [], usage } = answer.body as AnsweredBody
    const { content, tool_calls: [call] = [] } = choices[0]?.message ?? {}
    const tokens = tokensOf(usage)
    if (!call) return { reply: this.inTest(content ?? ''), ...tokens }
    const args = argumentsOf(this.inTest(call.function.arguments))
    return { tool: { name: call.function.name, args }, ...tokens }
  }
}

/** A recording may come from anywhere, and not every number is a moment. */
const isMoment = (answer: unknown): answer is number =>
  typeof answer === 'number' && !Number.isNaN(new Date(answer).getTime())

/** As JSON where that is the same text again, as it is read better. */
function bodyOf(text: string): { json: unknown } | { text: string } {
  try {
    const json: unknown = JSON.parse(text)
    return JSON.stringify(json) === text ? { json } : { text }
  } catch {
    return { text }
  }
}

interface AnsweredMessage {
  readonly content?: string | null
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

interface AnsweredBody {
  readonly choices?: readonly { readonly message?: AnsweredMessage }[]
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown }
}

function tokensOf({
  prompt_tokens: input,
  completion_tokens: output,
}: NonNullable<AnsweredBody['usage']> = {}) {
  if (!Number.isInteger(input) || !Number.isInteger(output)) return {}
  return { tokens: { input: input as number, output: output as number } }
}

/**
 * Arguments that are no JSON count as none; a conversation for which that matters takes another path, which is
 * reported.
 */
function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return {}
  }
}
