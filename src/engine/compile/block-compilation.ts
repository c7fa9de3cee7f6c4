import { compileExpression } from '../javascript/create-code.ts'
import type { CompileContext } from '../model/block-handler.ts'
import type { Finding } from '../model/findings.ts'
import type { Code } from '../model/template.ts'
import { compileJson, type JsonCompilation, type JsonTemplate } from '../templates/json-template.ts'
import { parseTemplate } from '../templates/parse-template.ts'
import type { TextTemplate } from '../templates/text-template.ts'
import type { VariableTable } from '../values/variables.ts'

/** Unknown variables of one text that are reported. */
const reportedNames = 10

/** Surroundings of a block for its compilation. */
export interface BlockSurroundings {
  readonly variables: VariableTable
  readonly isLegacy: boolean
}

/** Context in which a handler compiles its block; gathers the findings. */
export class BlockCompilation implements CompileContext {
  readonly variables: VariableTable
  readonly isLegacy: boolean
  readonly codes: Code[] = []
  readonly findings: Finding[] = []
  /** Checks that run when findings are requested. */
  readonly checks: (() => void)[] = []
  readonly #block: { readonly id: string; readonly pointer: string }

  constructor(
    block: { readonly id: string; readonly pointer: string },
    { variables, isLegacy }: BlockSurroundings,
  ) {
    this.#block = block
    this.variables = variables
    this.isLegacy = isLegacy
  }

  text(source: string, at: string | undefined): TextTemplate {
    const template = this.lateText(source, at)
    for (const code of template.codes) this.codes.push(code)
    return template
  }

  lateText(source: string, at: string | undefined): TextTemplate {
    const template = parseTemplate(source, this.variables, this.variables.footprint)
    if (at === undefined) return template
    for (const unknown of unknownNames(template)) {
      const hint = `No variable is named "${unknown}": the placeholder stays empty. Declare it or correct the name.`
      this.report({ code: 'unknown-variable', severity: 'warning', at, hint })
    }
    return template
  }

  expression(source: string, template: TextTemplate): Code {
    const code = compileExpression(source, template, this.variables.footprint)
    this.codes.push(code)
    return code
  }

  json<T>(value: T, at: string, addressAt?: JsonCompilation['addressAt']): JsonTemplate<T> {
    const compile = (source: string, pointer: string) => this.text(source, at + pointer)
    return compileJson(value, { compile, ...(addressAt && { addressAt }) })
  }

  report({ code, severity, at, hint }: Parameters<CompileContext['report']>[0]): void {
    const { id, pointer } = this.#block
    this.findings.push({ code, severity, pointer: pointer + at, blockId: id, hint })
  }

  inspect(check: () => void): void {
    this.checks.push(check)
  }
}

/** The first names of a text that no variable has, each once: a hostile text can hold a million. */
function unknownNames({ parts }: TextTemplate): Iterable<string> {
  let names: Set<string> | undefined
  for (const part of parts) {
    if (typeof part === 'string' || part.kind !== 'variable' || part.ref.candidates.length > 0) continue
    names ??= new Set()
    names.add(part.ref.name)
    if (names.size === reportedNames) break
  }
  return names ?? []
}
