import type { ErrorObject } from 'ajv'
import { tagsOf } from '../../schemas/tagged-union.ts'
import type { Problem } from '../lib/errors.ts'
import { escapeToken } from '../lib/json-pointer.ts'

/** Problems that an answer lists before it only counts them. */
const mostListed = 20

/** Keywords whose errors only repeat those of their members. */
const wrappers = new Set(['if', 'oneOf', 'anyOf', 'propertyNames'])

/**
 * The problems found so far. Only the first few are kept, the others are counted: a draft of a few megabytes can
 * hold a million of them.
 */
export class ProblemList {
  readonly #listed: Problem[] = []
  #count = 0

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Whether another problem would only be counted. */
  get isFull(): boolean {
    return this.#count >= mostListed
  }

  /** Adds a problem, unless it is listed already. */
  add(pointer: string, message: string): void {
    if (this.#listed.some((listed) => listed.pointer === pointer && listed.message === message)) return
    if (!this.isFull) this.#listed.push({ pointer, message })
    this.count()
  }

  /** Counts a problem without saying what it is. */
  count(): void {
    this.#count++
  }

  /** Adds what a validator found in a value at this place. */
  addErrors(errors: readonly ErrorObject[], place: string): void {
    const specific = errors.filter(({ keyword }) => !wrappers.has(keyword))
    const mistyped = new Set(specific.filter(({ keyword }) => keyword === 'type').map(pathOf))
    for (const error of specific.length > 0 ? specific : errors) {
      if (error.keyword === 'type' || !mistyped.has(pathOf(error))) this.#addError(error, place)
    }
  }

  toArray(): readonly Problem[] {
    const unlisted = this.#count - this.#listed.length
    return unlisted > 0
      ? [...this.#listed, { pointer: '', message: `… and ${unlisted} more` }]
      : [...this.#listed]
  }

  #addError(error: ErrorObject, place: string): void {
    const { pointer, message } = describe(error)
    this.add(place + pointer, message)
  }
}

/** Turns what a validator found into problems a caller understands. `prefix` is the place of the checked value. */
export function toProblems(
  errors: readonly ErrorObject[] | null | undefined,
  prefix = '',
): readonly Problem[] {
  const problems = new ProblemList()
  problems.addErrors(errors ?? [], prefix)
  return problems.toArray()
}

const pathOf = (error: ErrorObject) => error.instancePath

function describe(error: ErrorObject): Problem {
  const { instancePath: pointer, message = 'is not valid', params } = error
  switch (error.keyword) {
    case 'type': {
      // A value of another type is not one of the words either, and these errors are more specific.
      const words: unknown = error.parentSchema?.['enum']
      return { pointer, message: Array.isArray(words) ? oneOf(words) : message }
    }
    case 'enum':
      return { pointer, message: oneOf(params['allowedValues']) }
    case 'const':
      return { pointer, message: oneOf([params['allowedValue']]) }
    case 'additionalProperties':
      return describeUnknownProperty(error)
    case 'discriminator':
      return describeTag(error)
    default:
      return error.propertyName === undefined
        ? { pointer, message: message + exampleIn(error) }
        : { pointer: insideOf(pointer, error.propertyName), message: `has a name that ${message}` }
  }
}

function exampleIn({ keyword, parentSchema }: ErrorObject): string {
  const [example]: readonly unknown[] = parentSchema?.['examples'] ?? []
  return keyword === 'pattern' && example !== undefined ? `, such as ${JSON.stringify(example)}` : ''
}

/** Pointer to a key, which is cut: it may be as long as the definition. */
const insideOf = (pointer: string, name: string) => `${pointer}/${escapeToken(name.slice(0, 100))}`

/** In an object with fixed properties another one is mostly misspelt. */
function describeUnknownProperty({ instancePath, params, parentSchema }: ErrorObject): Problem {
  const pointer = insideOf(instancePath, String(params['additionalProperty']))
  const known = Object.keys(parentSchema?.['properties'] ?? {})
  const others = known.length === 0 ? 'nothing is' : `known are: ${known.join(', ')}`
  return { pointer, message: `is not known here; ${others}` }
}

/** The error of a tagged union concerns its tag, and the tag alone. */
function describeTag({ instancePath, params, parentSchema, data }: ErrorObject): Problem {
  const tag: string = params['tag']
  if (params['tagValue'] === undefined && !Object.hasOwn(data as object, tag)) {
    return { pointer: instancePath, message: `must have required property '${tag}'` }
  }
  const pointer = `${instancePath}/${tag}`
  if (params['error'] === 'tag') return { pointer, message: 'must be string' }
  return { pointer, message: oneOf(parentSchema?.['oneOf'].flatMap(tagsOf)) }
}

function oneOf(values: readonly unknown[]): string {
  return `must be one of: ${values.filter((value) => value !== null).join(', ')}`
}
