import type { ComparisonOperator } from '../../../schemas/condition.ts'
import { andThen, type Effects } from '../model/effects.ts'
import { visibleError } from '../model/log-entry.ts'
import type { ConditionScope } from '../model/scope.ts'
import { isProblem } from '../regex/problem.ts'
import { compilePattern, createSearchJob } from '../regex/regex.ts'
import { composeText, composingCost } from '../values/compose-text.ts'
import { isFilled, type Value } from '../values/value.ts'
import { compareSizes } from './ordering.ts'

/** Decides one comparison of what a variable holds (left) with what the flow names (right). */
export type Comparator = (left: Value, right: Value, scope: ConditionScope) => boolean | Effects<boolean>

/** An operator that never needs the sandbox. */
type PlainOperator = (left: Value, right: Value, scope: ConditionScope) => boolean

/**
 * Every way to compare (docs/behaviour/variables.md, "Conditions"). With lists each element of the left meets each of
 * the right: for an empty list, a comparison that must hold for every pair is true, and one that must hold for some
 * pair is false.
 */
export const operators: Readonly<Record<ComparisonOperator, Comparator>> = {
  'Equal to': areEqual,
  'Not equal': areDifferent,
  Contains: contains,
  'Does not contain': not(contains),
  'Greater than': compareSizes((left, right) => left > right),
  'Less than': compareSizes((left, right) => left < right),
  'Greater or equal to': compareSizes((left, right) => left >= right),
  'Less or equal to': compareSizes((left, right) => left <= right),
  'Is set': isFilled,
  'Is empty': not(isFilled),
  'Starts with': everyPair((left, right) => left.startsWith(right)),
  'Ends with': everyPair((left, right) => left.endsWith(right)),
  'Matches regex': matches,
  'Does not match regex': doesNotMatch,
}

function not(operator: PlainOperator): PlainOperator {
  return (left, right, scope) => !operator(left, right, scope)
}

const elementsOf = (value: Value): readonly Element[] =>
  typeof value === 'string' || value === null ? [value] : value

type Element = string | null

/** Preparing a text takes a fraction of the time of rendering it. */
const work = (length: number) => 1 + (length >> 4)

function prepared<E extends Element>(
  elements: readonly E[],
  scope: ConditionScope,
  prepare: (text: string) => string,
) {
  return elements.map((element) => {
    scope.spend(work(element?.length ?? 0))
    if (element === null) return element
    scope.spend(composingCost(element))
    return prepare(element) as E
  })
}

const folded = (text: string) => composeText(text.trim().toLowerCase())

const setOf = (value: Value, scope: ConditionScope): ReadonlySet<Element> =>
  new Set(prepared(elementsOf(value), scope, composeText))

const isText = (element: Element): element is string => element !== null && element !== ''

function areEqual(left: Value, right: Value, scope: ConditionScope): boolean {
  const lefts = setOf(left, scope)
  const rights = setOf(right, scope)
  return lefts.size === 0 || rights.size === 0 || new Set([...lefts, ...rights]).size === 1
}

function areDifferent(left: Value, right: Value, scope: ConditionScope): boolean {
  const lefts = setOf(left, scope)
  return ![...setOf(right, scope)].some((element) => lefts.has(element))
}

/** A list contains whole elements, a text contains parts. Nothing contains nothing. */
function contains(left: Value, right: Value, scope: ConditionScope): boolean {
  const wanted = elementsOf(right).filter(isText)
  if (Array.isArray(left)) {
    const lefts = setOf(left, scope)
    return prepared(wanted, scope, composeText).some((element) => lefts.has(element))
  }
  const texts = prepared(elementsOf(left).filter(isText), scope, folded)
  return somePair(texts, prepared(wanted, scope, folded), (text, part) => {
    // The host's search takes 0.2 s for a hostile pair of 64 Ki and 32 Ki characters, and can't be interrupted.
    scope.spend(work(text.length) + ((text.length * part.length) >> 9))
    return text.includes(part)
  })
}

function everyPair(rule: (left: string, right: string) => boolean): PlainOperator {
  return (left, right, scope) => {
    const pairs = pairsOfTexts(left, right)
    if (typeof pairs === 'boolean') return pairs
    const [lefts, rights] = pairs.map((texts) => prepared(texts, scope, folded)) as [string[], string[]]
    return !somePair(lefts, rights, (one, other) => {
      scope.spend(1)
      return !rule(one, other)
    })
  }
}

const somePair = (
  lefts: readonly string[],
  rights: readonly string[],
  rule: (left: string, right: string) => boolean,
) => rights.some((right) => lefts.some((left) => rule(left, right)))

/** The texts on both sides, or what every pair of them is: true where there is none, false where one is empty. */
function pairsOfTexts(left: Value, right: Value): readonly [string[], string[]] | boolean {
  const lefts = elementsOf(left)
  const rights = elementsOf(right)
  if (lefts.length === 0 || rights.length === 0) return true
  return lefts.every(isText) && rights.every(isText) && [lefts as string[], rights as string[]]
}

function matches(left: Value, right: Value, scope: ConditionScope): boolean | Effects<boolean> {
  return isMatched(elementsOf(left).filter(isText), elementsOf(right).filter(isText), scope)
}

function doesNotMatch(left: Value, right: Value, scope: ConditionScope): boolean | Effects<boolean> {
  const pairs = pairsOfTexts(left, right)
  return typeof pairs === 'boolean' ? pairs : andThen(isMatched(...pairs, scope), (isFound) => !isFound)
}

/**
 * Whether any text has a match of any pattern. A pattern that can't be used matches nothing; a log names
 * the first, however long the list. Those that only the sandbox can search for are left until no other matches.
 */
function isMatched(
  texts: readonly string[],
  sources: readonly string[],
  scope: ConditionScope,
): boolean | Effects<boolean> {
  if (texts.length === 0) return false
  const beyond: string[] = []
  let reason: string | undefined
  const isFound = sources.some((source) => {
    const pattern = compilePattern(source, scope)
    if (!isProblem(pattern)) return texts.some((text) => pattern.test(text, scope))
    if (pattern.kind === 'beyond') beyond.push(source)
    else reason ??= pattern.reason
    return false
  })
  if (!isFound && beyond.length > 0) return searchBeyond(texts, beyond, { reason, scope })
  if (reason !== undefined) logUnusable(reason, scope)
  return isFound
}

function* searchBeyond(
  texts: readonly string[],
  sources: readonly string[],
  { reason, scope }: { readonly reason: string | undefined; readonly scope: ConditionScope },
): Effects<boolean> {
  const results = yield* scope.runCode(sources.map((source) => createSearchJob(source, texts, scope)))
  const failure = reason ?? results.find((result) => !result.ok)?.message
  if (failure !== undefined) logUnusable(failure, scope)
  return results.some((result) => result.ok && result.value === true)
}

function logUnusable(reason: string, scope: ConditionScope): void {
  const description = `A pattern of the block "${scope.blockId}" matches nothing: ${reason}`
  scope.log(visibleError({ description, context: 'Conditions' }))
}
