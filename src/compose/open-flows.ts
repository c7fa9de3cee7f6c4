import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Subscribers } from '../conversations/outgoing/event-subscribers.ts'
import type { ProgramCache } from '../conversations/session/program-cache.ts'
import { createEventLoopYield } from '../conversations/turn/yield-to-event-loop.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import { readDefinition } from '../definition/read-definition.ts'
import type { BlockRegistry } from '../engine/model/block-handler.ts'
import type { Ports } from '../ports/ports.ts'
import { openFlowCatalogue } from '../publication/catalogue/flow-catalogue.ts'
import { openFlowFolder } from '../publication/flow-folder/flow-folder.ts'
import type { Publication } from '../publication/publication.ts'
import { createPublication } from '../publication/publication-service.ts'
import type { DefinitionStore } from '../stores/definition-store.ts'
import type { FlowTable } from '../stores/flow-table.ts'
import type { PublishedFlows } from '../stores/published-flows.ts'
import { inspectPublication } from '../tooling/lint/lint-flow.ts'

interface FlowsOptions {
  readonly config: Pick<Config, 'flowsDir' | 'blocksDir'>
  readonly log: Logger
  readonly ports: Ports
  readonly registry: BlockRegistry
  readonly programs: ProgramCache
  readonly definitions: DefinitionStore
  readonly flowTable: FlowTable
  readonly subscribers: Subscribers
}

/** The flows that visitors can start, and what operators can do with them. */
interface OpenFlows {
  readonly published: PublishedFlows
  readonly publication: Publication
  /** Reasons for which no flows can be read; empty when they can. */
  flowProblems(): readonly string[]
}

/** The joined file that this stands in is named by what it and all that it loads contain; sources, which change, have no such name. */
const [, build] = /-([\w-]{8})\.js$/.exec(import.meta.url) ?? []

/** Publishes what is in the folder and, beside it, what was published over HTTP. */
export async function openFlows(options: FlowsOptions): Promise<OpenFlows> {
  const { config, log, ports, programs, definitions, flowTable: table, subscribers } = options

  function prepare(definition: unknown) {
    const {
      program,
      text,
      flow = readDefinition(definition, options.registry),
    } = programs.prepare(definition)
    return { flow, program, text }
  }
  const yieldToEventLoop = createEventLoopYield(ports)
  const catalogue = await openFlowCatalogue({
    table,
    definitions,
    build: config.blocksDir === undefined ? build : undefined,
    publish: (text) => prepare(parseDefinition(text)),
    inspect: (flow, program) => inspectPublication({ flow, program }, yieldToEventLoop),
    report: log,
  })
  const folder = await openFlowFolder({ folder: config.flowsDir, catalogue, report: log })
  const publication = createPublication({
    table,
    catalogue,
    definitions,
    prepare,
    announce(publicId) {
      const wanting = subscribers.wanting('flow.published', publicId)
      if (wanting.length === 0) return undefined
      const destinations = wanting.map(({ destination }) => destination)
      return {
        eventId: ports.createId('event'),
        timestamp: new Date(ports.now()).toISOString(),
        destinations,
      }
    },
    inspect: ({ flow, program }, served) =>
      inspectPublication({ flow, program }, createEventLoopYield(ports), served),
  })
  const close = async () => void (await Promise.all([folder.close(), catalogue.close()]))
  return { published: { ...catalogue, close }, publication, flowProblems: () => folder.problems() }
}
