import { isDeepStrictEqual } from 'node:util'
import type { Flow } from '../../../schemas/flow.ts'
import type { FindingSummary } from '../../../schemas/flow-state.ts'
import type { Program } from '../../engine/model/program.ts'
import { problemsOf, ServiceError } from '../../lib/errors.ts'
import type { DefinitionStore } from '../../stores/definition-store.ts'
import type { PublicationFacts, PublishedFlow } from '../../stores/published-flows.ts'
import {
  type CheckedFlow,
  CheckedFlows,
  compiledLater,
  type FlowHead,
  headOf,
  withFacts,
} from './checked-flows.ts'
import { placed, withPlaces } from './locate.ts'
import type { OfferedFlow, ShelvedFlow } from './shelved-flow.ts'

/** Log of publications, for operators. A pino logger is one. */
export type PublicationLog = Record<'info' | 'warn' | 'error', (details: object, message: string) => void>

export interface FlowMaker {
  /**
   * Makes a flow of a definition's text. Throws for one that is none: best a `ServiceError` with problems. The text
   * is kept under the hash of the program, which compiling it again has to yield.
   */
  publish(text: string): { readonly flow: Flow; readonly program: Program }
  /** Finds what the author of a flow should know about it. */
  inspect(flow: Flow, program: Program): Promise<readonly FindingSummary[]>
  readonly report: PublicationLog
}

interface ShelfOptions extends FlowMaker {
  /** Keeps definitions for the sessions that are pinned to them; undefined where the source of the flows does. */
  readonly definitions?: Pick<DefinitionStore, 'getAll' | 'retain' | 'release'>
  /** Names all that decides whether a text is good; undefined where each is read at every start. */
  readonly build?: string | undefined
  /** Messages of the log. */
  readonly words: { readonly broken: string; readonly keepsLast: string; readonly gone: string }
}

interface CompiledFlow {
  readonly offer: OfferedFlow
  readonly flow: PublishedFlow
  readonly head: FlowHead
  readonly text: string
}

/** Flows that are announced one by one at the start; more would bury what else is logged then. */
const announcedSingly = 50

/** Flows that are compiled before others have their turn. */
const compiledAtOnce = 16

/**
 * Compiled flows of one source. A place that breaks keeps the last flow that was good there; each thing that is wrong is
 * reported once, for as long as it lasts.
 */
export class FlowShelf {
  readonly #options: ShelfOptions
  readonly #checked: CheckedFlows | undefined
  /** Flows that wait to be compiled, as far as nobody has asked for them. */
  readonly #later = new Set<PublishedFlow>()
  readonly #places = new Map<string, ShelvedFlow>()
  #isFirst = true
  #isClosed = false
  #inspected = Promise.resolve()
  /** Details of the flows that came first, which are inspected once somebody asks for that. */
  #late: object | undefined

  constructor(options: ShelfOptions) {
    this.#options = options
    const { definitions, build } = options
    if (definitions && build !== undefined) this.#checked = new CheckedFlows(definitions, build)
  }

  /**
   * Takes over what the source has now: all of it, or all of these keys. Many that come first are inspected once `inspected`
   * is called, and logged in one line with these details. What is wrong is remembered, and not reported yet.
   */
  async load(
    offers: readonly OfferedFlow[],
    details: object,
    keys: Iterable<string> = this.#places.keys(),
  ): Promise<void> {
    const kept = new Set(offers.map(({ key }) => key))
    await this.#withdraw([...keys].filter((key) => !kept.has(key)))
    const changed = offers.filter((offer) => !this.#recall(offer))
    const checked = await this.#checked?.find(changed.flatMap(({ hash }) => hash ?? []))
    const checkedOf = ({ hash = '' }: OfferedFlow) => checked?.get(hash)
    for (const offer of changed) if (!checkedOf(offer)) offer.begin?.()
    const compiled: CompiledFlow[] = []
    for (let first = 0; first < changed.length; first += compiledAtOnce) {
      const batch = changed.slice(first, first + compiledAtOnce)
      compiled.push(
        ...(await Promise.all(batch.map((offer) => this.#compile(offer, checkedOf(offer))))).flat(),
      )
      await new Promise(setImmediate)
    }
    const isLate = this.#isFirst && changed.length > announcedSingly
    this.#isFirst = false
    await this.#publish(compiled, isLate)
    if (isLate) this.#late = details
  }

  /** Names what is wrong and has not been reported; empty when all is well or reported. */
  unreported(): string {
    const failures = [...this.#places].filter(([, { failure }]) => failure?.isReported === false)
    return failures.length === 0 ? '' : JSON.stringify(failures.map(([key, { failure }]) => [key, failure]))
  }

  reportProblems(keys: Iterable<string> = this.#places.keys()): void {
    const { report, words } = this.#options
    for (const key of keys) {
      const place = this.#places.get(key)
      const { label, flow, failure } = place ?? {}
      if (!place || !failure || failure.isReported) continue
      const fate = flow ? words.keepsLast : 'it is not published'
      report.error({ ...label, problems: failure.problems }, `${words.broken}: ${fate}`)
      this.#places.set(key, { ...place, failure: { ...failure, isReported: true } })
    }
  }

  place(key: string): ShelvedFlow | undefined {
    return this.#places.get(key)
  }

  /** In the order of their keys. */
  places(): readonly ShelvedFlow[] {
    return [...this.#places].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, place]) => place)
  }

  /** Resolves once each flow is compiled: all at once would hold others up. */
  async compiled(): Promise<void> {
    let compiled = 0
    for (const flow of this.#later) {
      this.#later.delete(flow)
      void flow.program
      compiled += 1
      if (compiled % compiledAtOnce === 0) await new Promise(setImmediate)
    }
  }

  /** Inspects what has come first, and resolves once everything is inspected that is served. */
  inspected(): Promise<void> {
    const details = this.#late
    this.#late = undefined
    if (details) this.#inspected = this.#inspectLate(details)
    return this.#inspected
  }

  /** Ends that. */
  close(): Promise<void> {
    this.#isClosed = true
    return this.#inspected
  }

  /**
   * Goes back to the text of an offer where it is served, or known to be broken; false where it has to be compiled. Where
   * another text is served in its place, that has the flags of the offer.
   */
  #recall({ key, label, hash, factsOf }: OfferedFlow): boolean {
    const place = this.#places.get(key)
    const isServed = place?.hash === hash
    if (hash === undefined || !place || !(isServed || place.failure?.hash === hash)) return false
    const facts = factsOf(undefined)
    const news = isServed ? facts : facts && { isClosed: facts.isClosed, isArchived: facts.isArchived }
    const flow = withFacts(place.flow, news)
    const failure = isServed ? undefined : place.failure
    this.#places.set(key, { ...place, label, facts, failure, flow })
    return true
  }

  async #compile(offer: OfferedFlow, checked: CheckedFlow | undefined): Promise<CompiledFlow[]> {
    const { label, hash, factsOf } = offer
    const { publish } = this.#options
    const factsWith = (head: FlowHead) => ({
      ...(factsOf(head) as PublicationFacts),
      ...('file' in label && label),
    })
    if (checked) {
      const flow = compiledLater(factsWith(checked.head), () => publish(checked.text))
      this.#later.add(flow)
      return [{ offer, flow, ...checked }]
    }
    let text: string | undefined
    try {
      text = await offer.text()
    } catch (error) {
      // Refused for good, or not to be read now.
      this.#fail(offer, error, error instanceof ServiceError ? hash : undefined)
    }
    if (text === undefined) return []
    try {
      const { flow, program } = publish(text)
      const head = headOf(flow, program)
      return [{ offer, text, head, flow: { ...factsWith(head), flow, program } }]
    } catch (error) {
      this.#fail(offer, await placed(error, offer.locate), hash)
      return []
    }
  }

  #fail({ key, label, factsOf }: OfferedFlow, error: unknown, hash: string | undefined): void {
    const place = this.#places.get(key)
    const before = place?.failure
    const failure = { hash, problems: problemsOf(error), isReported: true }
    const isReported = isDeepStrictEqual(before, failure)
    this.#places.set(key, { ...place, label, facts: factsOf(undefined), failure: { ...failure, isReported } })
  }

  /** Keeps the definitions as one unit before any flow is served. */
  async #publish(compiled: readonly CompiledFlow[], isLate: boolean): Promise<void> {
    const { definitions } = this.#options
    if (compiled.length === 0) return
    try {
      await definitions?.retain(
        compiled.flatMap(({ offer, head, text }) => [
          { hash: head.hash, text },
          ...this.#recordsOf(offer).map((hash) => ({ hash, text: JSON.stringify(head) })),
        ]),
      )
    } catch (error) {
      for (const { offer } of compiled) this.#fail(offer, error, undefined)
      return
    }
    const former = compiled.flatMap(({ offer: { key } }) => this.#places.get(key) ?? [])
    for (const { offer, flow, head } of compiled) {
      const { key, label, hash, factsOf, locate, written } = offer
      const form = { ...(locate && { locate }), ...(written && { written }) }
      this.#places.set(key, { label, ...form, hash, facts: factsOf(undefined), flow, head })
    }
    if (!isLate) await Promise.all(compiled.map(({ offer: { key } }) => this.#inspect(key, true)))
    await this.#release(former)
  }

  async #inspectLate(details: object): Promise<void> {
    for (const [key, { flow, findings }] of [...this.#places]) {
      if (this.#isClosed) return
      if (flow && !findings) await this.#inspect(key, false)
    }
    if (this.#isClosed) return
    const published = this.places().filter(({ flow }) => flow)
    const flawed = published.filter(({ findings = [] }) => findings.length > 0)
    this.#options.report.info(
      { ...details, published: published.length, flawed: flawed.length },
      'flows published; those that come or change are logged one by one, with their flaws',
    )
  }

  /** Logs a flow and its findings where it is announced, else no more than what keeps a block from running. */
  async #inspect(key: string, isAnnounced: boolean): Promise<void> {
    const { inspect, report } = this.#options
    const place = this.#places.get(key)
    if (!place?.flow || !place.head) return
    const { label, flow: published, head, locate } = place
    const { publicId, publishedAt, isClosed, isArchived } = published
    const facts = { publicId, publishedAt, isClosed, isArchived }
    if (isAnnounced) report.info({ ...label, ...facts, flowId: head.id, hash: head.hash }, 'flow published')
    this.#later.delete(published)
    const inspected = async () => inspect(published.flow, published.program)
    const found = await inspected().catch((err: unknown) => {
      report.error({ ...label, err }, 'flow could not be inspected')
      return []
    })
    const findings = await withPlaces(found, locate)
    for (const { severity, ...finding } of findings) {
      const details = { ...label, ...finding }
      if (severity === 'error') report.error(details, 'flow has a flaw')
      else if (isAnnounced) report.warn(details, 'flow has a flaw')
    }
    // It may have changed meanwhile, and is inspected by that.
    const now = this.#places.get(key)
    if (now?.head === head) this.#places.set(key, { ...now, findings })
  }

  /** Names of what is remembered of a text. */
  #recordsOf({ hash }: Pick<ShelvedFlow, 'hash'>): string[] {
    return this.#checked && hash !== undefined ? [this.#checked.nameOf(hash)] : []
  }

  async #withdraw(keys: readonly string[]): Promise<void> {
    const gone = keys.flatMap((key) => this.#places.get(key) ?? [])
    for (const key of keys) this.#places.delete(key)
    await this.#release(gone)
    for (const { label, flow } of gone)
      if (flow) this.#options.report.info({ ...label, publicId: flow.publicId }, this.#options.words.gone)
  }

  /** Lets definitions make room for others; sessions may still be pinned to them. */
  async #release(places: readonly ShelvedFlow[]): Promise<void> {
    const hashes = places.flatMap(({ head, hash }) => (head ? [head.hash, ...this.#recordsOf({ hash })] : []))
    for (const { flow } of places) if (flow) this.#later.delete(flow)
    if (hashes.length === 0) return
    await this.#options.definitions?.release(hashes).catch((err: unknown) => {
      this.#options.report.warn({ hashes, err }, 'definitions could not be released: they are kept for good')
    })
  }
}
