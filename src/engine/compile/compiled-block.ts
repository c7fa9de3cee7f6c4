import type { AnyBlock, BlockHandler, BlockRegistry } from '../model/block-handler.ts'
import { bytesOfFindings, type Finding } from '../model/findings.ts'
import type { CompiledBlock, CompiledGroup } from '../model/program.ts'
import type { Code } from '../model/template.ts'
import type { VariableRef } from '../values/variables.ts'
import { BlockCompilation, type BlockSurroundings } from './block-compilation.ts'
import type { FindGenerated } from './generated-content.ts'
import { estimateProgramBytes } from './program-size.ts'

/** Most blocks leave nothing to be checked. */
const nothing: readonly undefined[] = []
const none: readonly VariableRef[] = []

/** Memory of a prepared block besides its texts: functions, defaults, the JSON that is shown. Measured. */
const bytesPerPreparedBlock = 1_500

/** Options of the compilation of one flow's blocks. */
export interface Compiler extends BlockSurroundings {
  /** Whether its texts are in another language than those that its definition is counted by. */
  readonly isLocalised: boolean
  readonly registry: BlockRegistry
  readonly findGenerated: FindGenerated | undefined
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
  #compilation: BlockCompilation | undefined
  #compiled: unknown
  #generatedFrom: readonly VariableRef[] | undefined

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
    if (!this.#compilation) this.#prepare()
    return this.#compiled
  }

  get codes(): readonly Code[] {
    return (this.#compilation ?? this.#prepare()).codes
  }

  get findings(): readonly Finding[] {
    return (this.#compilation ?? this.#prepare()).findings
  }

  inspect(): Iterable<void> {
    const compilation = this.#compilation ?? this.#prepare()
    return compilation.checks.length === 0 ? nothing : this.#check(compilation)
  }

  *#check({ findings, checks }: BlockCompilation): Generator<void> {
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

  get generatedFrom(): readonly VariableRef[] {
    this.#generatedFrom ??= this.#compiler.findGenerated?.(this.#definition) ?? none
    return this.#generatedFrom
  }

  #prepare(): BlockCompilation {
    const compilation = new BlockCompilation(this, this.#compiler)
    this.#compiled = this.handler?.compile(this.#definition, compilation)
    this.#compilation = compilation
    const { isLocalised, variables } = this.#compiler
    const texts = isLocalised ? estimateProgramBytes(JSON.stringify(this.#definition)) : 0
    variables.footprint.add(bytesPerPreparedBlock + texts + bytesOfFindings(compilation.findings))
    return compilation
  }
}
