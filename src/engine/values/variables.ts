import type { Variable } from '../../../schemas/flow.ts'
import { Footprint } from '../model/footprint.ts'
import { type SensitiveValue, type Sensitivity, sensitiveTexts } from './sensitive-values.ts'
import { isFilled, isHeld, toDeclaredValue, type Value, valueLength } from './value.ts'

/** A variable as a flow declares it. */
export interface VariableDeclaration {
  readonly id: string
  readonly name: string
  readonly initial: Value
  /** Whether it was declared with a value, if only with null: code distinguishes that from no value at all. */
  readonly isInitialised: boolean
  /** A session variable is used like any other, and never written to the result. */
  readonly isSessionVariable: boolean
  /** Whether it belongs to the contact, where there is one. */
  readonly isOfContact: boolean
  readonly sensitivity: Sensitivity | undefined
  /** Grows in the order of declaration. */
  readonly position: number
}

/** A name used by a placeholder, and every declared variable of that name, in the order of declaration. */
export interface VariableRef {
  readonly name: string
  readonly candidates: readonly VariableDeclaration[]
}

/** Variables of one name that are looked at: every placeholder of that name asks each of them. */
const mostNamesakes = 16

const noCandidates: readonly VariableDeclaration[] = Object.freeze([])

/** The variables that a flow declares, findable by id and by name. Immutable: part of the program. */
export class VariableTable {
  /** The program's: values computed for it, at any place, have its variables at hand. */
  readonly footprint = new Footprint()
  readonly all: readonly VariableDeclaration[]
  /** Variables with a value before anything is written. */
  readonly filled: readonly VariableDeclaration[]
  /** Variables whose values are masked. */
  readonly sensitive: readonly VariableDeclaration[]
  readonly #byId = new Map<string, VariableDeclaration>()
  readonly #byName = new Map<string, VariableRef & { candidates: VariableDeclaration[] }>()

  constructor(variables: readonly Variable[]) {
    for (const [
      position,
      { id, name, value, scope, sensitivity, isSessionVariable = false },
    ] of variables.entries()) {
      if (this.#byId.has(id)) continue
      const initial = toDeclaredValue(value)
      const isInitialised = value !== undefined
      // A secret is gone with its conversation.
      const isOfContact = scope === 'contact' && sensitivity !== 'secret'
      const kind = { isSessionVariable, isOfContact, sensitivity }
      const declaration = { id, name, initial, isInitialised, ...kind, position }
      this.#byId.set(id, declaration)
      const namesakes = this.#byName.get(name)
      if (namesakes && namesakes.candidates.length < mostNamesakes) namesakes.candidates.push(declaration)
      if (!namesakes) this.#byName.set(name, { name, candidates: [declaration] })
    }
    this.all = [...this.#byId.values()]
    this.filled = this.all.filter(({ initial }) => isHeld(initial))
    this.sensitive = this.all.filter(({ sensitivity }) => sensitivity !== undefined)
  }

  byId(id: string): VariableDeclaration | undefined {
    return this.#byId.get(id)
  }

  /** Each name once, in the order of the declarations. */
  names(): Iterable<string> {
    return this.#byName.keys()
  }

  byName(name: string): VariableRef {
    return this.#byName.get(name) ?? { name, candidates: noCandidates }
  }
}

/**
 * The values of a flow's variables in one conversation: the flow's own, and over them what has changed.
 * Only the changes are kept with a session.
 */
export class Variables {
  readonly table: VariableTable
  /** Values that differ from the declared ones, by variable id. */
  readonly changed: Map<string, Value>
  /** Values that a linked flow left behind under names which this flow does not declare. */
  readonly inherited: Map<string, Value>
  /** Variables that became session variables on the way, by id. */
  readonly sessionOnly: Set<string>
  #length = 0

  constructor(
    table: VariableTable,
    changed: Iterable<readonly [string, Value]> = [],
    inherited: Iterable<readonly [string, Value]> = [],
    sessionOnly: Iterable<string> = [],
  ) {
    this.table = table
    this.changed = new Map(changed)
    this.inherited = new Map(inherited)
    this.sessionOnly = new Set(sessionOnly)
    for (const value of [...this.changed.values(), ...this.inherited.values()])
      this.#length += valueLength(value)
  }

  /** The value of the variable with this id; undefined when the flow declares none. */
  get(id: string): Value | undefined {
    const declaration = this.table.byId(id)
    return declaration && this.#valueOf(declaration)
  }

  /** The value behind a name: that of the first namesake which has one, else null. */
  read(ref: VariableRef): Value {
    for (const candidate of ref.candidates) {
      const value = this.#valueOf(candidate)
      if (isFilled(value)) return value
    }
    const [first] = ref.candidates
    return first ? this.#valueOf(first) : (this.inherited.get(ref.name) ?? null)
  }

  /** The value behind a name, as `read` gives it. */
  readByName(name: string): Value {
    return this.read(this.table.byName(name))
  }

  /** The values of marked variables. */
  sensitiveValues(): readonly SensitiveValue[] {
    return this.table.sensitive.flatMap((declaration) => {
      const { name, sensitivity } = declaration
      return sensitivity ? sensitiveTexts({ name, sensitivity }, this.#valueOf(declaration)) : []
    })
  }

  /** Whether there is a variable of this name, declared or left behind by a linked flow. */
  knows(name: string): boolean {
    return this.table.byName(name).candidates.length > 0 || this.inherited.has(name)
  }

  /** Writes the first variable of a name; a name that the flow does not declare is remembered beside it. */
  setByName(name: string, value: Value): void {
    const [first] = this.table.byName(name).candidates
    if (first) this.#write(this.changed, first.id, value)
    else this.#write(this.inherited, name, value)
  }

  /** Writes a variable; false when the flow declares none of this id. */
  set(id: string, value: Value): boolean {
    if (!this.table.byId(id)) return false
    this.#write(this.changed, id, value)
    return true
  }

  /** Characters of everything that a session has to keep of them. */
  get length(): number {
    return this.#length
  }

  /** Every declared variable with its present value, in the order of declaration. */
  *entries(): Generator<readonly [VariableDeclaration, Value]> {
    for (const declaration of this.table.all) yield [declaration, this.#valueOf(declaration)]
  }

  /** The declared variables that hold something, in the order of declaration; those that hold nothing cost nothing. */
  held(): readonly VariableDeclaration[] {
    if (this.changed.size === 0) return this.table.filled
    const held = this.table.filled.filter((declaration) => isHeld(this.#valueOf(declaration)))
    for (const [id, value] of this.changed) {
      const declaration = this.table.byId(id)
      if (declaration && isHeld(value) && !isHeld(declaration.initial)) held.push(declaration)
    }
    return held.sort((a, b) => a.position - b.position)
  }

  #write(values: Map<string, Value>, key: string, value: Value): void {
    this.#length += valueLength(value) - valueLength(values.get(key) ?? null)
    values.set(key, value)
  }

  #valueOf(declaration: VariableDeclaration): Value {
    const changed = this.changed.get(declaration.id)
    return changed === undefined ? declaration.initial : changed
  }
}
