import type { Mocks } from '../../../../schemas/mocks.ts'
import type {
  CompletionOutcome,
  CompletionRequest,
  MailOutcome,
  OutgoingRequest,
  RequestOutcome,
  VendorCall,
  VendorOutcome,
} from '../../../engine/model/effect-payloads.ts'
import type { CompiledBlock } from '../../../engine/model/program.ts'
import { maskUrl } from '../../../engine/values/mask-url.ts'
import type { SessionMocks } from '../../../sessions/session.ts'
import type { PerformedEffect } from '../effect-executor.ts'
import { parseRedacted } from '../redact-secrets.ts'
import { answerPayment } from './payment-answers.ts'
import { ruleKinds } from './read-mocks.ts'
import { durationOf, fitsPattern, holdsJson } from './rule-texts.ts'

type Kind = (typeof ruleKinds)[number]
type Rule<K extends Kind> = NonNullable<Mocks[K]>[number]
type HttpMatch = NonNullable<Rule<'http'>['match']>

/** Answer to a call. */
export interface MockAnswer<Outcome> {
  readonly outcome: Outcome
  /** The call, as in `POST https://api.example/orders` and without secrets, where no rule fits it. */
  readonly missed?: string
  /** Milliseconds that it takes; absent for none. */
  readonly afterMs?: number
}

/** The block that asks. */
type Asking = Pick<CompiledBlock, 'id' | 'handler'> | undefined

/** Answer to a call, or that it is to be made in the world itself. */
export type MockedCall<Outcome> = MockAnswer<Outcome> | 'pass'

/** Something that was asked of the world: calls, mails, and what code fetched. */
export interface AskedOfWorld {
  readonly effect: Extract<PerformedEffect, { type: 'request' | 'callVendor' | 'complete' | 'mail' }>
  /** Undefined for a mail. */
  readonly outcome?: RequestOutcome | VendorOutcome | CompletionOutcome
  readonly missed?: string | undefined
}

/** The world that a conversation is in, by the rules of who started it. */
export class MockWorld {
  /** Since it was made. */
  readonly asked: AskedOfWorld[] = []
  readonly #rules: Mocks
  readonly #isHurried: boolean
  readonly #used: Map<string, number>
  #drawn: number
  #ids: number
  #advancedMs: number
  readonly #passed = new WeakSet<object>()

  /** `isHurried` skips the delays of answers. */
  constructor(
    { rules, used = [], drawn = 0, ids = 0, advancedMs = 0 }: SessionMocks,
    { isHurried = false }: { readonly isHurried?: boolean } = {},
  ) {
    this.#rules = rules
    this.#isHurried = isHurried
    this.#used = new Map(used)
    this.#drawn = drawn
    this.#ids = ids
    this.#advancedMs = advancedMs
  }

  /** State that the next turn goes on with. */
  get kept(): SessionMocks {
    const { clock } = this.#rules
    return {
      rules: this.#rules,
      used: [...this.#used],
      drawn: this.#drawn,
      ids: this.#ids,
      ...(clock !== undefined && { advancedMs: this.#advancedMs }),
    }
  }

  /** Milliseconds since 1970; undefined where the clock is the real one. */
  get now(): number | undefined {
    const { clock } = this.#rules
    return clock === undefined ? undefined : Date.parse(clock) + this.#advancedMs
  }

  /** Whether chance is fixed: code that draws numbers of its own is then to draw the same. */
  get hasFixedChance(): boolean {
    return this.#rules.seed !== undefined || this.#rules.random !== undefined
  }

  /** Moves a clock that stands. */
  advance(ms: number): void {
    this.#advancedMs += ms
  }

  /** Lets time go by on a clock that stands. Returns how long one has to wait for it in truth, in milliseconds. */
  spend(ms: number): number {
    const stands = this.#rules.clock !== undefined
    if (stands) this.#advancedMs += ms
    return stands || this.#isHurried ? 0 : ms
  }

  /** Notes that something was asked of the world itself. */
  pass(asked: object): void {
    this.#passed.add(asked)
  }

  hasPassed(asked: object): boolean {
    return this.#passed.has(asked)
  }

  /** Undefined where chance is the real one. */
  random(): number | undefined {
    if (!this.hasFixedChance) return undefined
    const { random = [], seed = 0 } = this.#rules
    const drawn = this.#drawn++
    return random[drawn] ?? mix(seed, drawn)
  }

  /** Undefined where ids are as usual. */
  createId(): string | undefined {
    return this.#rules.ids === undefined ? undefined : `value-${++this.#ids}`
  }

  answerRequest(request: OutgoingRequest, block: Asking): MockedCall<RequestOutcome> {
    const rule = this.#take('http', block, ({ match = {} }) => fitsRequest(match, request, block))
    const what = `${request.method} ${maskUrl(request.url)}`
    return rule ? answerBy(rule, outcomeOf(rule)) : this.#miss(what)
  }

  answerVendor(call: VendorCall, block: Asking): MockedCall<VendorOutcome> {
    const rule = this.#take('vendors', block, ({ match = {} }) => {
      if (match.vendor !== undefined && match.vendor !== call.vendor) return false
      if (match.path !== undefined && !fitsPattern(match.path, call.path)) return false
      if (match.json !== undefined && !holdsJson(match.json, bodyOf(call))) return false
      return fitsMethod(match, call) && fitsBlock(match, block)
    })
    const what = `${call.vendor} ${call.method} ${maskUrl(call.path)}`
    if (rule) return answerBy(rule, { ...outcomeOf(rule), facts: rule.facts })
    const paid = answerPayment(call, this.#rules.payments)
    return paid ? { outcome: paid } : this.#miss(what)
  }

  answerModel({ body, blockType }: CompletionRequest, block: Asking): MockedCall<CompletionOutcome> {
    const model = String(body['model'] ?? blockType)
    const what = `the question to ${model}`
    const rule = this.#take('models', block, ({ match = {} }) => {
      if (match.model !== undefined && match.model !== model) return false
      if (match.text !== undefined && !lastTextOf(body).includes(match.text)) return false
      return fitsBlock(match, block)
    })
    if (rule) return answerBy(rule, completionOf(rule))
    const isRefused = this.#rules.unmatched === 'fail'
    const outcome = isRefused ? failedFor(what) : answerOf({ content: `[model: ${model}]` })
    return { missed: what, outcome }
  }

  answerMail(): MailOutcome {
    if (this.#rules.mail !== 'refuse') return { kind: 'sent', details: {} }
    return { kind: 'failed', message: 'The mocks of this conversation refuse mails', details: {} }
  }

  /** The rules that have answered something: those of the conversation as pointers into the file that they stand in. */
  get usedRules(): readonly string[] {
    return [...this.#used.keys()].map((rule) => `/${rule}`)
  }

  /** Pointers to the rules that have answered nothing. */
  get unused(): readonly string[] {
    return ruleKinds.flatMap((kind) =>
      (this.#rules[kind] ?? []).flatMap((_rule, index) =>
        this.#used.has(`${kind}/${index}`) ? [] : [`/mocks/${kind}/${index}`],
      ),
    )
  }

  /** The first rule that fits and has answers left, counted as used: of the conversation, then of the type of the block. */
  #take<K extends Kind>(kind: K, block: Asking, fits: (rule: Rule<K>) => boolean): Rule<K> | undefined {
    const ofBlock: Mocks = block?.handler?.mock ?? {}
    return (
      this.#first(this.#rules[kind], kind, fits) ??
      this.#first(ofBlock[kind], `of ${block?.id}/${kind}`, fits)
    )
  }

  #first<K extends Kind>(
    rules: Mocks[K] = [],
    place: string,
    fits: (rule: Rule<K>) => boolean,
  ): Rule<K> | undefined {
    for (const [index, rule] of (rules as readonly Rule<K>[]).entries()) {
      const name = `${place}/${index}`
      const used = this.#used.get(name) ?? 0
      if (used >= (rule.times ?? Number.POSITIVE_INFINITY) || !fits(rule)) continue
      this.#used.set(name, used + 1)
      return rule
    }
    return undefined
  }

  #miss(what: string): MockAnswer<RequestOutcome> {
    if (this.#rules.unmatched === 'fail') return { missed: what, outcome: failedFor(what) }
    return { missed: what, outcome: { kind: 'response', status: 200, text: '{}' } }
  }
}

function answerBy<Outcome>({ after, pass }: Rule<Kind>, outcome: Outcome): MockedCall<Outcome> {
  if (pass) return 'pass'
  return after === undefined ? { outcome } : { outcome, afterMs: durationOf(after) }
}

const failedFor = (what: string) => ({ kind: 'failed', message: `No mock fits ${what}` }) as const

const fitsMethod = ({ method }: { method?: string }, asked: { readonly method: string }) =>
  method === undefined || method.toUpperCase() === asked.method.toUpperCase()

const fitsBlock = ({ block }: { block?: string }, asking: Asking) =>
  block === undefined || block === asking?.id

function fitsRequest(match: HttpMatch, request: OutgoingRequest, block: Asking): boolean {
  const { body = '' } = request
  if (!fitsMethod(match, request) || !fitsBlock(match, block)) return false
  if (match.url !== undefined && !fitsPattern(match.url, request.url)) return false
  if (match.text !== undefined && !body.includes(match.text)) return false
  return match.json === undefined || holdsJson(match.json, parseRedacted(body, [])?.value)
}

function outcomeOf({ reply, fail }: Rule<'http'> | Rule<'vendors'>): RequestOutcome {
  switch (fail) {
    case 'timeout':
      return { kind: 'timeout' }
    case 'refused':
      return { kind: 'refused', reason: 'The mocks of this conversation refuse the address' }
    case 'failed':
      return { kind: 'failed', message: 'The mocks of this conversation have the request fail' }
  }
  const { status = 200, text, json = {} } = reply ?? {}
  return { kind: 'response', status, text: text ?? JSON.stringify(json) }
}

const bodyOf = ({ json, form }: VendorCall) => json ?? (form && Object.fromEntries(form))

function lastTextOf({ messages }: Readonly<Record<string, unknown>>): string {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined
  const { content } = Object(last) as { content?: unknown }
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}

function completionOf({ reply, tool, fail, tokens }: Rule<'models'>): CompletionOutcome {
  if (typeof fail === 'number') return { kind: 'failed', message: `The model's server answered ${fail}` }
  if (fail !== undefined) return { kind: 'failed', message: fail }
  if (!tool) return answerOf({ content: reply ?? '' }, tokens)
  const call = { name: tool.name, arguments: JSON.stringify(tool.args ?? {}) }
  return answerOf(
    { content: null, tool_calls: [{ id: 'call-mock', type: 'function', function: call }] },
    tokens,
  )
}

/** In the format that models share. */
function answerOf(
  message: { content: string | null; tool_calls?: readonly unknown[] },
  { input = 0, output = 0 }: NonNullable<Rule<'models'>['tokens']> = {},
): CompletionOutcome {
  const finish_reason = message.tool_calls ? 'tool_calls' : 'stop'
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }]
  return { kind: 'answer', body: { choices, usage } }
}

/** A number from [0, 1) made of a seed and its place in the row: the same each time, and of any turn. */
function mix(seed: number, place: number): number {
  let bits = (seed + Math.imul(place + 1, 0x9e3779b9)) | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32
}
