import type { Flow } from '../../schemas/flow.ts'
import type { FindingSummary, FlowState } from '../../schemas/flow-state.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import type { Program } from '../engine/model/program.ts'
import { ServiceError } from '../lib/errors.ts'
import type { DefinitionStore } from '../stores/definition-store.ts'
import type {
  CatalogueEntry,
  ChangeOutcome,
  FlowAction,
  FlowAnnouncement,
  FlowTable,
} from '../stores/flow-table.ts'
import type { PublishedFlow } from '../stores/published-flows.ts'
import type { FlowCatalogue } from './catalogue/flow-catalogue.ts'
import type {
  AnyChangeRequest,
  ChangeRequest,
  FlowRequest,
  Publication,
  PublishRequest,
} from './publication.ts'

interface PublicationDependencies {
  readonly table: FlowTable
  /** Flows that are served, from the table and from files. */
  readonly catalogue: Pick<FlowCatalogue, 'byPublicId' | 'states' | 'written' | 'inspected' | 'refresh'>
  readonly definitions: Pick<DefinitionStore, 'get'>
  /** Compiles a definition. Throws BAD_REQUEST with the places that are wrong. */
  prepare(definition: unknown): CompiledFlow & { readonly text: string }
  /** Those who are told that another version of a flow is served. */
  announce(publicId: string): FlowAnnouncement | undefined
  /** Finds what the author of a flow should know about it, in the place of what is served by then. */
  inspect(flow: CompiledFlow, served: CompiledFlow | undefined): Promise<readonly FindingSummary[]>
}

interface CompiledFlow {
  readonly flow: Flow
  readonly program: Program
}

/** Characters of a public id that is given over HTTP: those that an address holds unescaped. */
const addressable = /^[\w.~-]{1,128}$/

/** Findings and errors that are returned. */
const shownFindings = 100

/** Rows of a page of the audit. */
const defaultLimit = 50

/** Creates the operations on published flows; flows of files are read only. */
export const createPublication = (deps: PublicationDependencies): Publication =>
  new CataloguePublication(deps)

class CataloguePublication implements Publication {
  readonly #deps: PublicationDependencies

  constructor(deps: PublicationDependencies) {
    this.#deps = deps
  }

  states(): readonly FlowState[] {
    return this.#deps.catalogue.states()
  }

  inspected(): Promise<void> {
    return this.#deps.catalogue.inspected()
  }

  async get({ publicId, onVersion }: FlowRequest) {
    const { table, definitions } = this.#deps
    const file = await this.#ofFile(publicId)
    if (file) {
      const text = (await definitions.get(file.program.hash)) ?? 'null'
      const { publishedAt, isClosed, isArchived } = file
      return { publicId, publishedAt, isClosed, isArchived, definition: parseDefinition(text) }
    }
    const entry = await this.#find(publicId)
    const text = entry && (await table.definition(entry.hash))
    if (!entry || text === undefined) throw notFound()
    onVersion(entry.version)
    return { ...describe(entry), definition: parseDefinition(text) }
  }

  written(publicId: string): Promise<string | undefined> {
    return this.#deps.catalogue.written(publicId)
  }

  async versions({ publicId, onVersion }: FlowRequest) {
    if (await this.#ofFile(publicId)) return { versions: [] }
    const entry = await this.#find(publicId)
    if (!entry) throw notFound()
    const versions = await this.#deps.table.versions(publicId)
    onVersion(entry.version)
    return {
      versions: versions.map((one) => ({ ...one, publishedAt: new Date(one.publishedAt).toISOString() })),
    }
  }

  async publish(request: PublishRequest) {
    const { publicId, definition, isForced } = request
    await this.#refuseFile(publicId)
    if (!addressable.test(publicId))
      throw new ServiceError(
        'BAD_REQUEST',
        'A public id has 1 to 128 characters, which are letters of ASCII, digits, ".", "_", "~" and "-"',
      )
    const { flow, program, text } = this.#deps.prepare(definition)
    const findings = await this.#deps.inspect({ flow, program }, await this.#served(publicId))
    if (!isForced) refuseErrors(findings)
    const { isClosed = false, isArchived = false } = flow
    const action = { kind: 'publish' as const, hash: program.hash, text, isClosed, isArchived }
    const published = await this.#apply(request, action)
    if (!published) throw new Error('a publication left nothing')
    return { ...published, findings: findings.slice(0, shownFindings) }
  }

  change(request: ChangeRequest) {
    return this.#apply(request, request.action)
  }

  async audit({ before, limit = defaultLimit }: Parameters<Publication['audit']>[0]) {
    const rows = await this.#deps.table.audit({ limit, ...(before !== undefined && { before }) })
    return { rows: rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() })) }
  }

  async #ofFile(publicId: string): Promise<PublishedFlow | undefined> {
    const flow = await this.#deps.catalogue.byPublicId(publicId)
    return flow?.file === undefined ? undefined : flow
  }

  async #refuseFile(publicId: string): Promise<void> {
    if (await this.#ofFile(publicId))
      throw new ServiceError('CONFLICT', 'The flow is that of a file in FLOWS_DIR: change the file')
  }

  async #find(publicId: string): Promise<CatalogueEntry | undefined> {
    return addressable.test(publicId) ? this.#deps.table.find(publicId) : undefined
  }

  /** The flow that a publication replaces; undefined for the first, and for one that can't be read any more. */
  async #served(publicId: string): Promise<CompiledFlow | undefined> {
    const entry = await this.#find(publicId)
    const text = entry && (await this.#deps.table.definition(entry.hash))
    try {
      return text === undefined ? undefined : this.#deps.prepare(parseDefinition(text))
    } catch (error) {
      if (error instanceof ServiceError) return undefined
      throw error
    }
  }

  async #apply({ publicId, actor, expected, onVersion }: AnyChangeRequest, action: FlowAction) {
    await this.#refuseFile(publicId)
    if (!addressable.test(publicId)) throw notFound()
    const outcome = await this.#deps.table.change({
      publicId,
      actor,
      expected,
      action,
      announce: this.#deps.announce(publicId),
    })
    const { state, entry } = settle(outcome, onVersion)
    // The table has it; where the database is away a moment later, it is looked up when it is back.
    if (state === 'changed') await this.#deps.catalogue.refresh([publicId]).catch(() => undefined)
    return entry && { ...describe(entry), isChanged: state === 'changed' }
  }
}

const notFound = () => new ServiceError('NOT_FOUND', 'Flow not found')

function settle(outcome: ChangeOutcome, onVersion: FlowRequest['onVersion']) {
  if (outcome.state === 'not found')
    throw new ServiceError('NOT_FOUND', 'There is no such flow, or no such version')
  if (outcome.state === 'other version') {
    if (outcome.version > 0) onVersion(outcome.version)
    const now = outcome.version > 0 ? `version ${outcome.version} is served` : 'no flow has this public id'
    throw new ServiceError('PRECONDITION_FAILED', `The flow has been changed since: ${now}`)
  }
  if (outcome.entry) onVersion(outcome.entry.version)
  return outcome
}

function describe({ publicId, version, publishedAt, publishedBy, isClosed, isArchived }: CatalogueEntry) {
  const moment = new Date(publishedAt).toISOString()
  return { publicId, version, publishedAt: moment, publishedBy, isClosed, isArchived }
}

function refuseErrors(findings: readonly FindingSummary[]): void {
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  throw new ServiceError(
    'BAD_REQUEST',
    'The flow has the errors listed: correct them, or publish it with ?force=true',
    {
      problems: errors.slice(0, shownFindings).map(({ pointer, hint }) => ({ pointer, message: hint })),
    },
  )
}
