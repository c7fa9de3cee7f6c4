import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'
import { toSourcePositions } from './source-positions.ts'

/** Makes the log of the service: one JSON object a line, to the standard output unless a destination is given. */
export function createLogger(level: Config['logLevel'], destination = standardOutput()): Logger {
  const options = {
    level,
    serializers: { err: (error: unknown) => describe(error) },
    hooks: { logMethod: keepMessageOut },
  }
  return pino(options, destination)
}

/** Characters of lines that are written at once. */
const mostGathered = 8 * 1024

/**
 * Writes some dozens of lines at a time, or what there is after a moment, at a fraction of the cost of a write each; in
 * order, and flushed when the process exits, normally or after a crash. The library would gather lines, too, and copy all that
 * it has for each one more; and where nobody reads the output any more, its `flushSync` tries again for ever.
 */
function standardOutput(): DestinationStream {
  const out = pino.destination({ dest: 1, sync: true })
  let lines = ''
  const flush = () => {
    const gathered = lines
    lines = ''
    if (gathered !== '') out.write(gathered)
  }
  const write = (line: string) => {
    lines += line
    if (lines.length >= mostGathered) flush()
  }
  setInterval(flush, 100).unref()
  process.on('exit', flush)
  const gathering = { write, flush, flushSync: flush }
  return gathering
}

/** An error that is logged by itself, as libraries do it, would be logged with its message. */
function keepMessageOut(this: Logger, args: Parameters<LogFn>, log: LogFn): void {
  const [error, message] = args as [unknown, string?]
  if (error instanceof Error) log.call(this, { err: error }, message ?? `unexpected ${describe(error).type}`)
  else log.apply(this, args)
}

/** Log entry of an error: its kind and the place that threw it, without words of visitors or flows. */
interface ErrorRecord {
  readonly type: string
  readonly message?: string
  readonly code?: string
  readonly syscall?: string
  readonly stack?: string
  readonly cause?: ErrorRecord
}

const deepestCause = 5

/** Names what is kept: libraries hang whatever they were working on to their errors. */
function describe(error: unknown, depth = 0): ErrorRecord {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, syscall, cause } = error as NodeJS.ErrnoException
  return {
    type: error.constructor.name,
    ...(!quotes(error) && { message: withoutQuotes(error.message) }),
    ...(isName(code) && { code }),
    ...(isName(syscall) && { syscall }),
    stack: framesOf(error),
    ...(cause !== undefined && depth < deepestCause && { cause: describe(cause, depth + 1) }),
  }
}

/** The errors of the language quote what they could not work with: a JSON text, a name, a number. */
function quotes(error: Error): boolean {
  return [SyntaxError, TypeError, RangeError, ReferenceError, URIError].some((kind) => error instanceof kind)
}

/** Quoted text may come from a visitor; a path or a long word may name a visitor's file or be a token. */
function withoutQuotes(message: string): string {
  return message
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '…')
    .replace(/[^\s…]+/g, (word) => (mayNameSomebody(word) ? '…' : word))
}

/** Settings are named in capitals, and words joined by one slash or by hyphens are those of a sentence. */
function mayNameSomebody(word: string): boolean {
  if (/^\W*[A-Z]+(?:_[A-Z]+)*\W*$/.test(word)) return false
  if (/^\W*\/|\/.*\//.test(word)) return true
  return /[\w-]{20,}/.test(word) && !/^\W*[a-z]{1,19}(?:[-/][a-z]{1,19})*\W*$/i.test(word)
}

const isName = (value: unknown): value is string => typeof value === 'string' && /^\w{1,40}$/.test(value)

/** The lines of a stack that say where; those above them repeat the message. */
function framesOf({ stack = '', message }: Error): string {
  const frames = stack
    .replace(message, () => '')
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
  return toSourcePositions(frames.join('\n'))
}
