import { HttpRequestBlock } from '../../../../schemas/blocks/integrations.ts'
import { ScriptBlock, SetVariableBlock } from '../../../../schemas/blocks/logic.ts'
import type { Flow } from '../../../../schemas/flow.ts'
import { isOf } from '../../../../schemas/tagged-union.ts'
import type { Program } from '../../../engine/model/program.ts'
import { type BlockText, namesIn, templateOf } from './block-texts.ts'
import type { PlacedBlock } from './placed-block.ts'
import { variablesSetIn } from './server-code.ts'

/** A place that reads or writes a variable. */
interface VariableUse {
  readonly pointer: string
  /** Undefined outside of blocks. */
  readonly placed: PlacedBlock | undefined
}

/** Reads and writes of one variable. */
export interface VariableUsage {
  readonly reads: VariableUse[]
  readonly writes: VariableUse[]
}

/** Readers and writers of the declared variables, by id. */
export interface VariableUses {
  of(variableId: string): VariableUsage
  /** Whether something reads or writes variables that the definition does not name: code, or another flow. */
  readonly isOpen: boolean
}

const none: VariableUsage = { reads: [], writes: [] }

/** Keys that name a variable to write; every other that ends in `VariableId` names one to read. */
const writingKeys = new Set([
  'variableId',
  'responseIdVariableId',
  'contentVariableId',
  'inputNameVariableId',
  'inputTypeVariableId',
])

/** Says what a text at this place does to the variable of this id; undefined when it names none. */
export function useOfId({ key, at }: Pick<BlockText, 'key' | 'at'>): 'read' | 'write' | undefined {
  if (!key.endsWith('ariableId') || !/^variableId$|VariableId$/.test(key)) return undefined
  if (key === 'variableId' && at.includes('/comparisons/')) return 'read'
  return writingKeys.has(key) || key.startsWith('save') ? 'write' : 'read'
}

/** Set variable types that begin with what the variable holds. */
const readsBefore = new Set(['Append value(s)', 'Pop', 'Shift'])

/** Collects the uses of variables, block by block. */
export class VariableUseCollector {
  readonly #program: Program
  readonly #usages = new Map<string, VariableUsage>()
  #isOpen = false

  constructor(program: Program) {
    this.#program = program
  }

  addBlock(placed: PlacedBlock): void {
    const { block, marks, pointer, texts } = placed
    for (const text of texts) this.#addText(text, placed)
    if (marks.leaves === 'by link' && marks.leadsTo?.(block).flowId !== 'current') this.#isOpen = true
    if (isOf(block, SetVariableBlock) && readsBefore.has(block.options?.type ?? '')) {
      this.#add('read', block.options?.variableId, { pointer, placed })
    }
    const isServerCode = isOf(block, ScriptBlock) && block.options?.isExecutedOnClient === false
    const code = isServerCode ? block.options?.content : undefined
    if (code !== undefined) this.#addCalls(code, { pointer: `${pointer}/options/content`, placed })
    // All answers and variables are sent.
    if (isOf(block, HttpRequestBlock) && block.options?.isCustomBody !== true) this.#isOpen = true
  }

  /** Adds what is outside of blocks: events, settings and theme. */
  addRest({ events, settings, theme }: Flow): void {
    for (const [index, event] of events.entries()) {
      const options = 'options' in event ? (event.options ?? {}) : {}
      for (const [key, id] of Object.entries(options)) {
        if (useOfId({ key, at: '' }) && typeof id === 'string') {
          this.#add('write', id, { pointer: `/events/${index}/options/${key}`, placed: undefined })
        }
      }
    }
    for (const name of namesInside({ settings, theme }, this.#program)) {
      this.#addName('read', name, { pointer: '/settings', placed: undefined })
    }
  }

  get uses(): VariableUses {
    return { of: (id) => this.#usages.get(id) ?? none, isOpen: this.#isOpen }
  }

  #addText(text: BlockText, placed: PlacedBlock): void {
    const access = useOfId(text)
    const template = templateOf(text.text, this.#program.variables)
    if (!access && !template) return
    const use = { pointer: placed.pointer + text.at, placed }
    if (access) this.#add(access, text.text, use)
    for (const name of template ? namesIn(template) : []) this.#addName('read', name, use)
  }

  #addCalls(code: string, use: VariableUse): void {
    const { names, isOpen } = variablesSetIn(code)
    for (const name of names) this.#addName('write', name, use)
    this.#isOpen ||= isOpen
  }

  #addName(access: 'read' | 'write', name: string, use: VariableUse): void {
    for (const { id } of this.#program.variables.byName(name).candidates) this.#add(access, id, use)
  }

  #add(access: 'read' | 'write', id: string | undefined, use: VariableUse): void {
    if (id === undefined || !this.#program.variables.byId(id)) return
    const usage = this.#usages.get(id) ?? { reads: [], writes: [] }
    this.#usages.set(id, usage)
    usage[access === 'read' ? 'reads' : 'writes'].push(use)
  }
}

function namesInside(value: unknown, program: Program): string[] {
  if (typeof value === 'string') {
    const template = templateOf(value, program.variables)
    return template ? namesIn(template) : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((inside) => namesInside(inside, program))
}
