import type { Program, Token } from 'acorn'
import type { Footprint } from '../model/footprint.ts'
import type { Budget } from './interpreter/data.ts'
import type { CodeOutcome } from './outcome.ts'
import { ScriptParser } from './script-parser.ts'

/** A syntax tree, or why there is none. */
export type ParseOutcome =
  | { readonly program: Program; readonly failure?: undefined }
  | { readonly program?: undefined; readonly failure: CodeOutcome & { readonly ok: false } }

/** Characters of code that is parsed here. The parser's time grows with the square of some code's length. */
export const longestParsed = 16_384

/** The code as the body of a function: unless `return ` stands somewhere in it, its value is that of the whole. */
export function functionBody(source: string): string {
  return source.includes('return ') ? source : `return ${source}`
}

/**
 * Parses code as the body of a function (docs/behaviour/variables.md, "Code").
 */
function parse(source: string, options: { isAsync: boolean }): ParseOutcome {
  return parseBody(functionBody(source), options)
}

/** Parses statements as the body of an async function; undefined where they are none, or too many. */
export function parseStatements(source: string): Program | undefined {
  return parseBody(source, { isAsync: true }).program
}

function parseBody(body: string, options: { isAsync: boolean }): ParseOutcome {
  const isLong = body.length > longestParsed
  try {
    const program = ScriptParser.parse(isLong ? body.slice(0, longestParsed) : body, {
      onToken: countTokens(),
      ecmaVersion: 'latest',
      allowHashBang: false,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: options.isAsync,
    })
    return isLong ? tooLong : { program }
  } catch (error) {
    if (!(error instanceof SyntaxError)) return tooComplex
    return isLong && isCausedByCut(error) ? tooLong : failed(error)
  }
}

/** Whether code is none, by any engine. */
export const isInvalidCode = ({ failure }: ParseOutcome): boolean => failure?.needsSandbox === false

/** Parses on demand, against a budget, and remembers the last. */
export type LazyParser = (text: string, budget: Budget) => ParseOutcome

/** Cost of parsing, in characters copied: for the code, and for each of its characters. */
const parsingWeight = { once: 2048, eachCharacter: 4 }

/** Creates a parser that charges for what it has not just parsed, and adds what it remembers to a footprint. */
export function createParser(options: { isAsync: boolean; footprint?: Footprint | undefined }): LazyParser {
  let last: { readonly text: string; readonly parsed: ParseOutcome } | undefined
  return (text, budget) => {
    if (last?.text === text) return last.parsed
    budget.spend(parsingWeight.once + parsingWeight.eachCharacter * text.length)
    const before = last ? bytesOfParsed(last) : 0
    last = { text, parsed: parse(text, options) }
    options.footprint?.add(bytesOfParsed(last) - before)
    return last.parsed
  }
}

/** A node of a syntax tree with its place in a list, and how many a tree has at most: the parser stops at a token more. */
const bytesPerNode = 120
const mostNodes = 500

function bytesOfParsed({ text, parsed }: { text: string; parsed: ParseOutcome }): number {
  return 2 * text.length + (parsed.program ? bytesPerNode * Math.min(text.length, mostNodes) : 0)
}

/** Code is long past simple by then. The parser recurses with its tokens, and a full stack can end the process. */
const mostTokens = 500
const deepestNesting = 60

const opening = new Set(['(', '[', '{', '${'])
const closing = new Set([')', ']', '}'])

/** Stops the parser, with anything but a syntax error, at code that it would recurse into too deeply. */
function countTokens(): (token: Token) => void {
  let tokens = 0
  let depth = 0
  return ({ type }) => {
    tokens += 1
    if (opening.has(type.label)) depth += 1
    else if (closing.has(type.label)) depth -= 1
    if (tokens > mostTokens || depth > deepestNesting) throw new RangeError(`${tokens} tokens, ${depth} deep`)
  }
}

const tooLong = needsSandbox('The code is too long')
const tooComplex = needsSandbox('The code is nested too deeply')

function needsSandbox(message: string): ParseOutcome {
  return { failure: { ok: false, message, needsSandbox: true } }
}

function failed({ message }: SyntaxError): ParseOutcome {
  // The parser adds a position, which is off by what was put in front of the code.
  const withoutPosition = message.replace(/ \(\d+:\d+\)$/, '')
  return { failure: { ok: false, message: withoutPosition, needsSandbox: false, mayBeWords: true } }
}

/** Prose stops the parser at its first words; an error at the end says nothing about what follows. */
function isCausedByCut(error: SyntaxError & { raisedAt?: number }): boolean {
  return error.message.startsWith('Unterminated') || (error.raisedAt ?? longestParsed) >= longestParsed - 1
}
