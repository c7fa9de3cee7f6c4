import { compileExpression } from '../javascript/create-code.ts'
import type { AnyBlock, BlockHandler, BlockRegistry, CompileContext } from '../model/block-handler.ts'
import { bytesOfFindings, type Finding } from '../model/findings.ts'
import type { CompiledBlock, CompiledGroup } from '../model/program.ts'
import type { Code } from '../model/template.ts'
import { compileJson } from '../templates/json-template.ts'
import { parseTemplate } from '../templates/parse-template.ts'
import type { TextTemplate } from '../templates/text-template.ts'
import type { VariableRef, VariableTable } from '../values/variables.ts'

/** Most blocks leave nothing to be checked. */
const nothing: readonly undefined[] = []

/** How many unknown variables of one text are reported. */
const reportedNames = 10

/** What a handler makes of a block besides its texts: functions, defaults, the JSON that is shown. Measured. */
const bytesPerPreparedBlock = 1_500

/** What the blocks of one flow are compiled with. */
export interface Compiler {
  readonly registry: BlockRegistry
  readonly variables: VariableTable
  readonly isLegacy: boolean
}

/** What preparing a block gathers on the way. */
interface Gathered {
  readonly codes: Code[]
  readonly findings: Finding[]
  /** What was left until findings are asked for. */
  readonly checks: (() => void)[]
}

interface Prepared extends Gathered {
  readonly compiled: unknown
}

/** A block that is prepared when it first runs, and then never again. */
export class LazyCompiledBlock implements CompiledBlock {
  readonly id: string
  readonly type: string
  readonly group: CompiledGroup
  readonly pointer: string
  readonly edgeId: string | undefined
  readonly handler: BlockHandler | undefined
  readonly following: CompiledBlock | undefined
  readonly #definition: AnyBlock
  readonly #compiler: Compiler
  #prepared: Prepared | undefined

  constructor(
    definition: AnyBlock,
    place: { group: CompiledGroup; pointer: string; following: CompiledBlock | undefined },
    compiler: Compiler,
  ) {
    this.id = definition.id
    this.type = definition.type
    this.group = place.group
    this.pointer = place.pointer
    this.edgeId = definition.outgoingEdgeId
    this.handler = compiler.registry.get(definition.type)
    this.following = place.following
    this.#definition = definition
    this.#compiler = compiler
  }

  get compiled(): unknown {
    return this.#prepare().compiled
  }

  get codes(): readonly Code[] {
    return this.#prepare().codes
  }

  get findings(): readonly Finding[] {
    return this.#prepare().findings
  }

  inspect(): Iterable<void> {
    const prepared = this.#prepare()
    return prepared.checks.length === 0 ? nothing : this.#check(prepared)
  }

  *#check({ findings, checks }: Gathered): Generator<void> {
    for (const check of checks.splice(0)) {
      const known = findings.length
      check()
      this.#compiler.variables.footprint.add(bytesOfFindings(findings.slice(known)))
      yield
    }
  }

  get itemEdgeIds(): readonly string[] {
    return this.handler?.itemEdgeIds?.(this.#definition) ?? []
  }

  get isPassThrough(): boolean {
    return this.handler === undefined || this.handler.isPassThrough?.(this.#definition) === true
  }

  get leadingVariable(): VariableRef | undefined {
    return this.handler?.leadingVariable?.(this.#definition, this.#compiler.variables)
  }

  #prepare() {
    if (this.#prepared) return this.#prepared
    const gathered: Gathered = { codes: [], findings: [], checks: [] }
    const compiled = this.handler?.compile(this.#definition, this.#context(gathered))
    const { findings } = gathered
    this.#prepared = { ...gathered, compiled }
    this.#compiler.variables.footprint.add(bytesPerPreparedBlock + bytesOfFindings(findings))
    return this.#prepared
  }

  #context({ codes, findings, checks }: Gathered): CompileContext {
    const { variables, isLegacy } = this.#compiler
    const report: CompileContext['report'] = ({ code, severity, at, hint }) => {
      findings.push({ code, severity, pointer: this.pointer + at, blockId: this.id, hint })
    }
    const lateText = (source: string, at: string | undefined) => {
      const template = parseTemplate(source, variables, variables.footprint)
      if (at === undefined) return template
      for (const unknown of unknownNames(template)) {
        const hint = `No variable is named "${unknown}": the placeholder stays empty. Declare it or correct the name.`
        report({ code: 'unknown-variable', severity: 'warning', at, hint })
      }
      return template
    }
    const text = (source: string, at: string | undefined) => {
      const template = lateText(source, at)
      for (const code of template.codes) codes.push(code)
      return template
    }
    const expression = (source: string, template: TextTemplate) => {
      const code = compileExpression(source, template, variables.footprint)
      codes.push(code)
      return code
    }
    return {
      variables,
      isLegacy,
      report,
      inspect: (check) => void checks.push(check),
      text,
      lateText,
      expression,
      json: (value, at, addressAt) =>
        compileJson(value, {
          compile: (source, pointer) => text(source, at + pointer),
          ...(addressAt && { addressAt }),
        }),
    }
  }
}

/** The first names of a text that no variable has, each once: a hostile text can hold a million. */
function unknownNames({ parts }: TextTemplate): Set<string> {
  const names = new Set<string>()
  for (const part of parts) {
    if (typeof part === 'string' || part.kind !== 'variable' || part.ref.candidates.length > 0) continue
    names.add(part.ref.name)
    if (names.size === reportedNames) break
  }
  return names
}
