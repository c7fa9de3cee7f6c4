import type {
  CodeJob,
  CodeResult,
  CompletionOutcome,
  CompletionRequest,
  Mail,
  MailOutcome,
  OutgoingRequest,
  RequestOutcome,
  TokenOutcome,
  TokenRequest,
  VendorCall,
  VendorOutcome,
} from './effect-payloads.ts'

/**
 * What a turn asks of the world, as data. The engine never acts: it yields an effect and goes on with the answer
 * that the runner of the turn hands back.
 */
export type Effect =
  /** The present moment, in milliseconds since 1970. */
  | { readonly type: 'now' }
  /** A number drawn evenly from [0, 1). */
  | { readonly type: 'random' }
  /** A fresh id that cannot be guessed. */
  | { readonly type: 'id' }
  /** The program of another flow, by the id that a flow link names. */
  | { readonly type: 'link'; readonly flowId: string }
  /** Code that goes beyond the interpreter. */
  | { readonly type: 'evaluate'; readonly job: CodeJob }
  | { readonly type: 'request'; readonly request: OutgoingRequest }
  | { readonly type: 'mail'; readonly mail: Mail }
  | { readonly type: 'complete'; readonly completion: CompletionRequest }
  | { readonly type: 'callVendor'; readonly call: VendorCall }
  | { readonly type: 'signToken'; readonly request: TokenRequest }
  /** A chance for others to be served; the answer is false when the turn has used up its time. */
  | { readonly type: 'yield' }

/** A program as it passes through an effect: data that the walk alone looks into. */
export interface LinkedProgram {
  readonly id: string
}

/** Another flow's program, or why there is none. */
export type LinkAnswer =
  | { readonly program: LinkedProgram }
  | { readonly program?: undefined; readonly refusal: string }

interface Answers {
  now: number
  random: number
  id: string
  link: LinkAnswer
  evaluate: CodeResult
  request: RequestOutcome
  mail: MailOutcome
  complete: CompletionOutcome
  callVendor: VendorOutcome
  signToken: TokenOutcome
  yield: boolean
}

export type EffectAnswer<Type extends Effect['type'] = Effect['type']> = Answers[Type]

/** A computation that may ask for effects on its way to a result. */
export type Effects<Result> = Generator<Effect, Result, EffectAnswer>

/** Yields one effect and returns its answer with the right type. */
export function* ask<E extends Effect>(effect: E): Effects<EffectAnswer<E['type']>> {
  return (yield effect) as EffectAnswer<E['type']>
}
