import type { Static, TObject } from '@sinclair/typebox'

export { Type } from '@sinclair/typebox'

/** Value of a variable. */
export type Value = string | readonly (string | null)[] | null | undefined

/** A log of the author; `error` is shown to the visitor's client too. */
interface BlockLog {
  readonly status: 'info' | 'success' | 'error'
  readonly description: string
  readonly details?: string
}

/** A request to any address that flows may reach. */
export interface RequestData {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, in place of `body`. */
  readonly json?: unknown
  readonly body?: string
  /** Milliseconds for the whole answer, up to 60,000. Default 10,000. */
  readonly timeoutMs?: number
}

/** A request with an account of the type `http`, which adds its address and its key: the block never sees them. */
interface AccountCallData extends Omit<RequestData, 'url' | 'body' | 'method'> {
  /** Id of the account; without one it is `default-http`. */
  readonly account?: string | undefined
  /** Path and query behind the address of the account. */
  readonly path: string
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT'
}

/** A mail with an account of the type `smtp`. */
export interface MailData {
  readonly account: string
  readonly to: readonly string[]
  readonly subject?: string
  readonly text?: string
}

/** Answer to a request; any status but 2xx is not `ok`. */
export interface RequestAnswer {
  readonly ok: boolean
  /** Absent where nothing was answered. */
  readonly status?: number
  /** Body; empty where nothing was answered. */
  readonly text: string
  /** Why there is no answer, in words for the author. */
  readonly problem?: string
}

/** Request of a block to the world, as data: the runtime does it, and a mock or a recording may answer in its place. */
export type Effect =
  | { readonly type: 'now' }
  | { readonly type: 'random' }
  | { readonly type: 'id' }
  | { readonly type: 'request'; readonly request: RequestData }
  | { readonly type: 'account call'; readonly call: AccountCallData }
  | { readonly type: 'mail'; readonly mail: MailData }

/** A computation that asks for effects on its way to a result. */
export type Effects<Result> = Generator<Effect, Result, unknown>

/** Variable to write, by its id; one without an id is left out. */
export interface Assignment {
  readonly variableId: string | undefined
  readonly value: unknown
}

/** Outcome of a block that shows nothing. */
interface BlockResult {
  readonly assignments?: readonly Assignment[]
  readonly logs?: readonly BlockLog[]
  /** Id of the item of the block by which the walk leaves. Default: the block's own edge, else the next block. */
  readonly item?: string
}

/** Verdict of an input on an answer. */
export type Verdict =
  | { readonly accepts: string; readonly assignments?: readonly Assignment[] }
  /** Which rule it broke, for the author, as in `it is no order number`. */
  | { readonly refuses: string }

/** Surroundings of a block while it runs. */
export interface BlockContext {
  readonly blockId: string
  readonly flowId: string
  /** Items of the block, as its author drew them. */
  readonly items: readonly BlockItem[]
  /** Whether a visitor of a published flow is served, and not its author. */
  readonly isLive: boolean
  /** Address of the service from outside, where it is configured. */
  readonly publicUrl: string | undefined
  /** Value of a variable, by its id. */
  variable(id: string | undefined): Value
}

/** Item of a block: a way to leave, or a choice. */
export interface BlockItem {
  readonly id: string
  readonly outgoingEdgeId?: string
  readonly [key: string]: unknown
}

/** Facts for the linter and for tests that walk every way; what is left out is taken for the careful answer. */
export interface BlockMarks {
  /** Asks another system: counts against the calls of a turn. */
  readonly calls?: true
  /** Uses an account of the type `http`, which the option `credentialsId` names. */
  readonly account?: true
  readonly mails?: true
  /** Writes no variable, takes no time and goes on the same way each time. */
  readonly changesNothing?: true
  /** Inputs: answers that it takes, which `explore` gives. */
  readonly usualAnswers?: readonly string[]
}

/** Type of a bubble or an input that every client knows. */
type ViewType =
  | 'text'
  | 'image'
  | 'video'
  | 'embed'
  | 'audio'
  | 'text input'
  | 'number input'
  | 'email input'
  | 'url input'
  | 'phone number input'
  | 'date input'
  | 'time input'
  | 'rating input'
  | 'choice input'
  | 'picture choice input'
  | 'cards input'

/** How clients show a block whose type they don't know: as a block of this type, with these fields. */
export interface View<Options> {
  readonly type: ViewType
  /** Gets the options as the author wrote them; placeholders in what it returns are filled in. */
  block(
    options: Options,
    items: readonly BlockItem[],
  ): {
    readonly content?: object | string
    readonly options?: object
    readonly items?: readonly object[]
  }
}

/** A conversation with one block, which `flow-runtime test` runs. Steps are those of files of tests. */
interface BlockCase<Options> {
  readonly name: string
  readonly options: Options
  readonly items?: readonly BlockItem[]
  /** First values of the variables of its flow, by name; each has its name as its id. */
  readonly variables?: Readonly<Record<string, unknown>>
  readonly steps: readonly object[]
}

/** A block type of your own. */
export interface Block<Schema extends TObject = TObject> {
  /** Version of this interface that the block was written for. */
  readonly kit: 1
  /** `owner/name`, by which flows name it. */
  readonly type: `${string}/${string}`
  readonly kind: 'logic' | 'integration' | 'bubble' | 'input'
  readonly description?: string
  /** Of its `options`. */
  readonly schema: Schema
  /** Of logic and integrations: does the work. Placeholders in the options are filled in. */
  run?(options: Static<Schema>, context: BlockContext): BlockResult | Effects<BlockResult>
  /** Of bubbles and inputs. */
  readonly view?: View<Static<Schema>>
  /** Of inputs: judges a text. Default: as the input of its view does. */
  reply?(text: string, options: Static<Schema>, context: BlockContext): Verdict | Effects<Verdict>
  readonly marks?: BlockMarks
  /** Answers to its requests in tests and dry runs whose mocks have none: rules of `http` and `vendors` as mocks have them. */
  readonly mock?: { readonly http?: readonly object[]; readonly vendors?: readonly object[] }
  readonly cases?: readonly BlockCase<Static<Schema>>[]
}

/** Declares a block, with the types of its options inferred from its schema. */
export function defineBlock<const Schema extends TObject>(block: Block<Schema>): Block<Schema> {
  return block
}

function* ask<Answer>(effect: Effect): Effects<Answer> {
  return (yield effect) as Answer
}

/** Present moment, in milliseconds since 1970. */
export const now = () => ask<number>({ type: 'now' })

/** A number drawn evenly from [0, 1). */
export const random = () => ask<number>({ type: 'random' })

/** A fresh id that can't be guessed. */
export const createId = () => ask<string>({ type: 'id' })

/** Sends a request; the runtime refuses addresses that flows may not reach. */
export const request = (data: RequestData) => ask<RequestAnswer>({ type: 'request', request: data })

/** Sends a request with an account, whose key stays out of recordings and traces. */
export const callAccount = (call: AccountCallData) => ask<RequestAnswer>({ type: 'account call', call })

/** Sends a mail, in live conversations. */
export const sendMail = (mail: MailData) =>
  ask<{ readonly ok: boolean; readonly problem?: string }>({ type: 'mail', mail })
