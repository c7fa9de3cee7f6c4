import type { Logger } from 'pino'
import type { FlowState } from '../../schemas/flow-state.ts'
import type { Config } from '../config/config.ts'
import type { ProgramCache } from '../conversations/session/program-cache.ts'
import { createEventLoopYield } from '../conversations/turn/yield-to-event-loop.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import { readDefinition } from '../definition/read-definition.ts'
import type { Ports } from '../ports/ports.ts'
import type { Publication } from '../publication/publication.ts'
import { createPublication } from '../publication/publication-service.ts'
import type { DefinitionStore } from '../stores/definition-store.ts'
import { createCataloguePublishedFlows } from '../stores/flow-catalogue/catalogue-published-flows.ts'
import type { FlowCatalogue } from '../stores/flow-catalogue/flow-catalogue.ts'
import { layerPublishedFlows, layerStates } from '../stores/flow-catalogue/layered-published-flows.ts'
import { createFolderPublishedFlows } from '../stores/flow-folder/folder-published-flows.ts'
import type { PublishedFlows } from '../stores/published-flows.ts'
import { inspectPublication } from '../tooling/lint/lint-flow.ts'

interface FlowsOptions {
  readonly config: Pick<Config, 'flowsDir'>
  readonly log: Logger
  readonly ports: Ports
  readonly programs: ProgramCache
  readonly definitions: DefinitionStore
  /** Undefined where no database is configured. */
  readonly catalogue: FlowCatalogue | undefined
}

/** The flows that visitors can start, and what operators can do with them. */
interface OpenFlows {
  readonly published: PublishedFlows
  readonly publication: Publication
  /** Reasons for which no flows can be read; empty when they can. */
  flowProblems(): readonly string[]
}

/** Publishes what is in the folder and, beside it, what was published over HTTP. */
export async function openFlows(options: FlowsOptions): Promise<OpenFlows> {
  const { config, log, ports, programs, definitions, catalogue } = options

  function prepare(definition: unknown) {
    const { program, text, flow = readDefinition(definition) } = programs.prepare(definition)
    return { flow, program, text }
  }
  const yieldToEventLoop = createEventLoopYield(ports)
  const publisher = {
    publish: (text: string) => prepare(parseDefinition(text)),
    inspect: (...[flow, program]: Parameters<FlowInspection>) =>
      inspectPublication({ flow, program }, yieldToEventLoop),
    report: log,
  }
  const own = catalogue && (await createCataloguePublishedFlows({ ...publisher, catalogue }))
  const files = await createFolderPublishedFlows({
    ...publisher,
    folder: config.flowsDir,
    definitions,
    areOthersPublished: () => (own?.states().length ?? 0) > 0,
  })
  const states = (): readonly FlowState[] =>
    own ? layerStates(files.states(), own.states()) : files.states()
  const publication = createPublication({
    catalogue,
    files,
    definitions,
    states,
    inspected: files.inspected,
    refresh: async () => own?.refresh(),
    prepare,
    inspect: ({ flow, program }, served) =>
      inspectPublication({ flow, program }, createEventLoopYield(ports), served),
  })
  return {
    published: own ? layerPublishedFlows(files, own) : files,
    publication,
    flowProblems: files.problems,
  }
}

type FlowInspection = Parameters<typeof createFolderPublishedFlows>[0]['inspect']
