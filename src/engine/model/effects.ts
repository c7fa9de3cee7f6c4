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
 * A request of a turn to the outside, as data. The engine never acts: it yields an effect and goes on with the answer
 * from the runner of the turn.
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
  /** Pieces of code that go beyond the interpreter, none of which depends on another; one result for each, in order. */
  | { readonly type: 'evaluate'; readonly jobs: readonly CodeJob[] }
  | { readonly type: 'request'; readonly request: OutgoingRequest }
  | { readonly type: 'mail'; readonly mail: Mail }
  | { readonly type: 'complete'; readonly completion: CompletionRequest }
  | { readonly type: 'callVendor'; readonly call: VendorCall }
  | { readonly type: 'signToken'; readonly request: TokenRequest }
  /** A chance for others to be served; the answer is false when the turn has used up its time. */
  | { readonly type: 'yield' }

/** A program as it passes through an effect: data that the walk alone looks into. */
interface LinkedProgram {
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
  evaluate: readonly CodeResult[]
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

/** Whether a computation has still to be driven to its end; one that asks for nothing may just be its result. */
export function isUnfinished<Result>(begun: Result | Effects<Result>): begun is Effects<Result> {
  // Lists can be iterated too, and steps have a `next`.
  return typeof begun === 'object' && begun !== null && Symbol.iterator in begun && 'next' in begun
}

/** Drives a computation to its end from within another. */
export function* finish<Result>(begun: Result | Effects<Result>): Effects<Result> {
  return isUnfinished(begun) ? yield* begun : begun
}

/** Goes on with a result: at once, and without a generator, where it is there already. */
export function andThen<Before, After>(
  begun: Before | Effects<Before>,
  next: (result: Before) => After | Effects<After>,
): After | Effects<After> {
  return isUnfinished(begun) ? finishThen(begun, next) : next(begun)
}

/** As `find`, where deciding may ask for effects. */
export function findFirst<Item>(
  items: readonly Item[],
  decide: (item: Item) => boolean | Effects<boolean>,
): Item | undefined | Effects<Item | undefined> {
  for (let index = 0; index < items.length; index++) {
    const isFound = decide(items[index] as Item)
    if (isUnfinished(isFound)) return findFrom(items, decide, { index, isFound })
    if (isFound) return items[index]
  }
  return undefined
}

function* findFrom<Item>(
  items: readonly Item[],
  decide: (item: Item) => boolean | Effects<boolean>,
  begun: { readonly index: number; readonly isFound: Effects<boolean> },
): Effects<Item | undefined> {
  if (yield* begun.isFound) return items[begun.index]
  for (const item of items.slice(begun.index + 1)) if (yield* finish(decide(item))) return item
  return undefined
}

function* finishThen<Before, After>(
  begun: Effects<Before>,
  next: (result: Before) => After | Effects<After>,
): Effects<After> {
  return yield* finish(next(yield* begun))
}
