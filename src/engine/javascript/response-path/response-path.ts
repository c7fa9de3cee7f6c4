import type { CodeJob } from '../../model/effect-payloads.ts'
import type { Footprint } from '../../model/footprint.ts'
import type { Scope } from '../../model/scope.ts'
import type { Code } from '../../model/template.ts'
import { inlineCodeText, type Placeholder, type TextTemplate } from '../../templates/text-template.ts'
import { valueToText } from '../../values/value.ts'
import { readForCode } from '../bind-variables.ts'
import type { Data } from '../interpreter/data.ts'
import { createFuel, runProgram } from '../interpreter/run.ts'
import { CodeError, type CodeOutcome, NeedsSandboxError } from '../outcome.ts'
import { createParser, isInvalidCode, longestParsed, type ParseOutcome } from '../parse.ts'
import { bindQuotedWords, hasWordInPattern } from '../quoted-words.ts'

/** The word that stands in code for the value of a placeholder, and the one for its text. */
const wordFor = (index: number) => `$ref${index}$`
const textWordFor = (index: number | string) => `$text${index}$`

const word = /\$ref(\d+)\$/
const words = { pattern: word, member: word, textOf: textWordFor }
const wholeWord = /^\$(ref|text)(\d+)\$$/

/** An expression that reads a part of a response. */
export interface ResponsePath {
  readonly source: string
  readonly placeholders: readonly Placeholder[]
  readonly codes: readonly Code[]
  /** Parses the path when it is first read. */
  parse(budget: Pick<Scope, 'spend'>): ParsedPath
}

/** A path that was parsed, its words in quotes bound. */
interface ParsedPath {
  readonly parsed: ParseOutcome
  /** The body of the function that the sandbox runs; undefined where the meaning of words in quotes is ambiguous. */
  readonly code: string | undefined
  /** Whether a placeholder stands inside of a pattern, where it stands for nothing. */
  readonly hasValueInPattern: boolean
}

/** Values of the names in a path. */
export interface PathValues {
  readonly given: ReadonlyMap<string, unknown>
  readonly results: ReadonlyMap<Placeholder, CodeOutcome>
}

/** Prepares the path of a response mapping. Its text never changes: values come in beside it. */
export function compileResponsePath(
  source: string,
  { parts, codes }: TextTemplate,
  footprint?: Footprint,
): ResponsePath {
  const placeholders: Placeholder[] = []
  let text = ''
  for (const part of parts) text += typeof part === 'string' ? part : wordFor(placeholders.push(part) - 1)
  // The line breaks keep a comment at the end, or a blank line at the start, from changing what is returned.
  const body = `return (\n${text}\n)`
  const parse = createParser({ isAsync: false, footprint })
  let known: ParsedPath | undefined
  return {
    source,
    placeholders,
    codes,
    parse: (budget) => {
      known ??= parsePath(body, placeholders.length > 0, (text) => parse(text, budget))
      return known
    },
  }
}

function parsePath(
  body: string,
  hasPlaceholders: boolean,
  parse: (text: string) => ParseOutcome,
): ParsedPath {
  const holdsWords = hasPlaceholders && body.length <= longestParsed
  const code = holdsWords ? bindQuotedWords(body, words) : body
  const parsed = parse(code)
  if (!parsed.program) return { parsed, code: hasPlaceholders ? undefined : body, hasValueInPattern: false }
  return { parsed, code, hasValueInPattern: holdsWords && hasWordInPattern(body, words) }
}

const unbounded = { spend: () => undefined }

/** Problem of a path with every response, for a finding to its author: it parses without a budget. */
export function problemOfPath(path: ResponsePath): 'no expression' | 'value in pattern' | undefined {
  const { parsed, hasValueInPattern } = path.parse(unbounded)
  if (isInvalidCode(parsed)) return 'no expression'
  return hasValueInPattern ? 'value in pattern' : undefined
}

/** Walks a path. The value of a placeholder is data like the response itself, and never code. */
export function readResponsePath(path: ResponsePath, values: PathValues, scope: Scope): CodeOutcome {
  const { program, failure } = path.parse(scope).parsed
  if (failure) return failure
  const variable = (name: string) => {
    const [, kind, index] = wholeWord.exec(name) ?? []
    const placeholder = path.placeholders[Number(index)]
    if (placeholder) return { value: read(placeholder, kind === 'text', { values, scope }) }
    return values.given.has(name) ? { value: values.given.get(name) as Data } : undefined
  }
  // The result may be nearly all of a response, as long as the turn has room for that.
  return runProgram(program, { variable, budget: createFuel(scope), resultBudget: scope })
}

interface World {
  readonly values: PathValues
  readonly scope: Scope
}

function read(placeholder: Placeholder, isText: boolean, { values, scope }: World): Data {
  if (placeholder.kind === 'code') {
    const evaluated = values.results.get(placeholder)
    if (!evaluated) throw new NeedsSandboxError('The code was not run')
    if (evaluated.ok) return isText ? inlineCodeText(evaluated.value) : (evaluated.value as Data)
    throw evaluated.needsSandbox ? new NeedsSandboxError(evaluated.message) : new CodeError(evaluated.message)
  }
  const { ref } = placeholder
  if (!scope.variables.knows(ref.name)) throw new CodeError(`There is no variable "${ref.name}"`)
  return isText ? valueToText(scope.variables.read(ref)) : readForCode(ref, scope.variables)
}

/** Values of the path's placeholders for the sandbox, as far as its code names them. */
export function responseGlobals(path: ResponsePath, values: PathValues, scope: Scope): CodeJob['globals'] {
  const { placeholders } = path
  const { code = '' } = path.parse(scope)
  const words = placeholders.flatMap((placeholder, index) => [
    { name: wordFor(index), placeholder, isText: false },
    { name: textWordFor(index), placeholder, isText: true },
  ])
  return words.flatMap(({ name, placeholder, isText }) => {
    if (!code.includes(name)) return []
    return bound(name, () => read(placeholder, isText, { values, scope }))
  })
}

/** A placeholder that stands for nothing has no name in the sandbox either: reading it fails there as it does here. */
function bound(name: string, readValue: () => Data): [string, unknown][] {
  try {
    return [[name, readValue()]]
  } catch (error) {
    if (error instanceof CodeError || error instanceof NeedsSandboxError) return []
    throw error
  }
}
