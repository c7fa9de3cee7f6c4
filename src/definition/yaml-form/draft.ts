import { nearestName } from '../../lib/nearest-name.ts'
import { IdBook } from '../yaml-text/identifiers.ts'
import { Origins } from '../yaml-text/origins.ts'
import type { FormProblem, Span } from '../yaml-text/yaml-nodes.ts'

/** Problems that are listed; a text can hold any number. */
const mostProblems = 20

export type DraftPart = Record<string, unknown>

/** Where an edge leads. */
export interface EdgeTarget {
  readonly groupId: string
  readonly blockId?: string
}

/** Names that stand for ids: the key under which something is declared, what it is called, and its id. */
class Names {
  readonly #byKey = new Map<string, string>()
  readonly #byName = new Map<string, string>()
  /** By the keys and names, what it is called. */
  readonly #called = new Map<string, string>()
  readonly #ids = new Set<string>()

  add(key: string, { id, name }: { readonly id: string; readonly name: string }): void {
    this.#byKey.set(key, id)
    if (!this.#byName.has(name)) this.#byName.set(name, id)
    this.#called.set(key, name)
    if (!this.#called.has(name)) this.#called.set(name, name)
    this.#ids.add(id)
  }

  /** Undefined for a name that is not declared. */
  idOf(name: string): string | undefined {
    return this.#byKey.get(name) ?? this.#byName.get(name) ?? (this.#ids.has(name) ? name : undefined)
  }

  /** The name by which texts call what is declared under a key or a name. */
  calledAs(name: string): string {
    return this.#called.get(name) ?? name
  }

  has(name: string): boolean {
    return this.#called.has(name)
  }

  keys(): Iterable<string> {
    return this.#byKey.keys()
  }
}

/** Kinds of parts whose ids are told apart. */
interface Ids {
  readonly groups: IdBook
  readonly blocks: IdBook
  readonly items: IdBook
  readonly edges: IdBook
  readonly events: IdBook
}

/** A place where a text names a variable or a group. */
export interface NameUse extends Span {
  readonly kind: 'variable' | 'group'
  /** As it is written, without quotes. */
  readonly called: string
}

/** A variable or a group with the places where it is declared: by its key, and by an id and a name of its own. */
export interface Declaration {
  readonly kind: NameUse['kind']
  readonly key: string
  readonly id: string
  readonly name: string
  readonly at: { readonly key: Span; readonly id: Span | undefined; readonly name: Span | undefined }
}

/** A definition in the making. */
export class Draft {
  readonly problems: FormProblem[] = []
  readonly origins = new Origins()
  readonly groups: DraftPart[] = []
  readonly edges: DraftPart[] = []
  readonly variableNames = new Names()
  readonly groupNames = new Names()
  readonly ids: Ids
  readonly declarations: Declaration[] = []
  readonly uses: NameUse[] = []

  constructor(writtenIds: readonly string[]) {
    const book = () => new IdBook(writtenIds)
    this.ids = { groups: book(), blocks: book(), items: book(), edges: book(), events: book() }
  }

  declare(declaration: Declaration): void {
    const { kind, key } = declaration
    this.#namesOf(kind).add(key, declaration)
    this.declarations.push(declaration)
  }

  #namesOf(kind: NameUse['kind']): Names {
    return kind === 'variable' ? this.variableNames : this.groupNames
  }

  /** The id that a name stands for, whose place is noted; undefined for a name that is not declared. */
  idOf(kind: NameUse['kind'], called: string, { start, end }: Span): string | undefined {
    const id = this.#namesOf(kind).idOf(called)
    if (id !== undefined) this.uses.push({ kind, called, start, end })
    return id
  }

  report({ start, end }: Span, message: string): void {
    const isKnown = this.problems.some((other) => other.start === start && other.message === message)
    if (this.problems.length < mostProblems && !isKnown) this.problems.push({ message, start, end })
  }

  /** Reports a name that stands for nothing, with the one that was probably meant. */
  reportUnknown(span: Span, message: string, names: Iterable<string>): void {
    this.report(span, message)
    const wanted = /"(.{1,60}?)"/.exec(message)?.[1]
    const near = wanted === undefined ? undefined : nearestName(wanted, names)
    const last = this.problems.at(-1)
    if (near && last?.message === message)
      this.problems.splice(-1, 1, { ...last, message: `${message}; did you mean "${near.name}"?` })
  }

  /** Leads from a block, an item or an event along an edge of its own. */
  connect(origin: DraftPart, target: EdgeTarget, span: Span): void {
    const id = this.ids.edges.make(String(origin['id']), 'way')
    this.edges.push(this.origins.note({ id, to: this.origins.note({ ...target }, span) }, span))
    origin['outgoingEdgeId'] = id
    this.origins.noteValue(origin, 'outgoingEdgeId', span)
  }
}
