import { type FlowCatalogue, openFlowCatalogue } from '../../src/publication/catalogue/flow-catalogue.ts'
import type { FlowMaker } from '../../src/publication/catalogue/flow-shelf.ts'
import {
  type FlowFolder,
  type FlowFolderOptions,
  openFlowFolder,
} from '../../src/publication/flow-folder/flow-folder.ts'
import type { FlowTable } from '../../src/stores/flow-table.ts'
import {
  createMemoryDefinitionStore,
  type MemoryDefinitionStore,
} from '../../src/stores/memory/memory-definition-store.ts'
import { MemoryFlowTable } from '../../src/stores/memory/memory-flow-table.ts'
import { openMemoryOutbox } from '../support/memory-outbox.ts'
import { findingsInText, publishText } from './publish-text.ts'

const megabyte = 1024 * 1024

export function openDefinitions(maxBytes = megabyte): MemoryDefinitionStore {
  return createMemoryDefinitionStore({ maxBytes, draftMaxBytes: maxBytes })
}

/** A table in memory whose clock goes on with each look. */
export function openTable(definitions = openDefinitions(), maxBytes = megabyte) {
  let now = Date.parse('2026-11-20T08:00:00Z')
  return new MemoryFlowTable({ definitions, maxBytes, outbox: openMemoryOutbox(), now: () => ++now })
}

interface Options extends Partial<FlowMaker>, Pick<FlowFolderOptions, 'timing'> {
  readonly folder: string
  readonly definitions?: MemoryDefinitionStore
  readonly table?: FlowTable
  readonly build?: string
}

/** Flows of a folder, beside those of a table, which is empty unless it is given. */
export async function openFlows({
  folder,
  timing,
  definitions = openDefinitions(),
  table = openTable(),
  build,
  publish = publishText,
  inspect = findingsInText,
  report = { info: () => undefined, warn: () => undefined, error: () => undefined },
}: Options): Promise<FlowCatalogue & Pick<FlowFolder, 'rescan' | 'problems'>> {
  const catalogue = await openFlowCatalogue({ table, definitions, build, publish, inspect, report })
  const files = await openFlowFolder({ folder, catalogue, report, timing })
  const close = async () => void (await Promise.all([files.close(), catalogue.close()]))
  return { ...catalogue, rescan: files.rescan, problems: () => files.problems(), close }
}
