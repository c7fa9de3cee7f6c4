import { createMemoryDefinitionStore } from '../../src/stores/memory/memory-definition-store.ts'
import { createMemoryEndpointTable } from '../../src/stores/memory/memory-endpoint-table.ts'
import { MemoryFlowTable } from '../../src/stores/memory/memory-flow-table.ts'
import type { MemoryOutbox } from '../../src/stores/memory/memory-outbox.ts'
import { Endpoints } from '../../src/webhooks/endpoints.ts'
import { Webhooks } from '../../src/webhooks/webhooks-service.ts'
import { openMemoryInbox, openMemoryOutbox } from './memory-outbox.ts'

const megabyte = 1024 * 1024

/** Endpoints over stores in memory, of which nothing is sent. */
export function openTestWebhooks(outbox: MemoryOutbox = openMemoryOutbox()) {
  const definitions = createMemoryDefinitionStore({ maxBytes: megabyte, draftMaxBytes: megabyte })
  const flows = new MemoryFlowTable({ definitions, maxBytes: megabyte, outbox, now: Date.now })
  const table = createMemoryEndpointTable('webhook', { note: flows.note, outbox, inbox: openMemoryInbox() })
  const endpoints = new Endpoints(table)
  const deliveries = { resume: () => undefined, problemOf: () => undefined }
  const webhooks = new Webhooks({ directory: endpoints, table, outbox, sender: deliveries })
  const audit = () => flows.audit({ limit: 10 })
  return { outbox, table, endpoints, webhooks, audit }
}
