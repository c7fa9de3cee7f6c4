import { type Program, parse as parseScript, type Token } from 'acorn'
import type { Evaluated } from './outcome.ts'

/** A syntax tree, or why there is none. */
export type Parsed =
  | { readonly program: Program; readonly failure?: undefined }
  | { readonly program?: undefined; readonly failure: Evaluated & { readonly ok: false } }

/** Characters of code that is parsed here. The parser's time grows with the square of some code's length. */
const maxLength = 16_384

/** The code as the body of a function: unless `return ` stands somewhere in it, its value is that of the whole. */
export function functionBody(source: string): string {
  return source.includes('return ') ? source : `return ${source}`
}

/**
 * Parses code as the body of a function (docs/behaviour.md, "Code").
 */
export function parse(source: string, options: { isAsync: boolean }): Parsed {
  const body = functionBody(source)
  const isLong = body.length > maxLength
  try {
    const program = parseScript(isLong ? body.slice(0, maxLength) : body, {
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
export const isInvalidCode = ({ failure }: Parsed): boolean => failure?.needsSandbox === false

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

function needsSandbox(message: string): Parsed {
  return { failure: { ok: false, message, needsSandbox: true } }
}

function failed({ message }: SyntaxError): Parsed {
  // The parser adds a position, which is off by what was put in front of the code.
  const withoutPosition = message.replace(/ \(\d+:\d+\)$/, '')
  return { failure: { ok: false, message: withoutPosition, needsSandbox: false } }
}

/** Prose stops the parser at its first words; an error at the end says nothing about what follows. */
function isCausedByCut(error: SyntaxError & { raisedAt?: number }): boolean {
  return error.message.startsWith('Unterminated') || (error.raisedAt ?? maxLength) >= maxLength - 1
}
