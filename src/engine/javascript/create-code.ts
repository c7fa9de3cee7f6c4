import type { Footprint } from '../model/footprint.ts'
import type { Code, TextTemplate } from '../model/template.ts'
import { createParser } from './parse.ts'

/** A piece of code before it is parsed, with its template and functions. Measured. */
const bytesPerCode = 500

/** Prepares the code of a `{{= code =}}`: a function body, with a `return` added where it has none. */
export function createInlineCode(source: string, template: TextTemplate, footprint?: Footprint): Code {
  footprint?.add(bytesPerCode)
  const parsing = { isAsync: false, footprint }
  return { source, template, reaches: 'all variables', ...parsing, parse: createParser(parsing) }
}

/** Prepares the expression of a block: as inline code, and it may await. */
export function compileExpression(source: string, template: TextTemplate, footprint?: Footprint): Code {
  footprint?.add(bytesPerCode)
  const parsing = { isAsync: true, footprint }
  return { source, template, reaches: 'its references', ...parsing, parse: createParser(parsing) }
}
