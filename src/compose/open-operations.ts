import type { Logger } from 'pino'
import { createYamlReader } from '../adapters/yaml-reader/yaml-reader.ts'
import { createAnalytics } from '../analytics/read-analytics.ts'
import type { ChannelDirectory } from '../channels/channel-directory.ts'
import type { Config } from '../config/config.ts'
import { createContacts } from '../contacts/contacts-service.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import type { ChannelOutput } from '../conversations/outgoing/channel-output.ts'
import { TimerRunner } from '../conversations/timers/timer-runner.ts'
import { enforceRetention } from '../results/enforce-retention.ts'
import { createErasureLog } from '../results/erasure-log.ts'
import { Results } from '../results/results-service.ts'
import { createStepLine } from '../stores/in-steps.ts'
import { createFlowConverter } from '../tooling/convert/flow-converter.ts'
import { createFlowTests } from '../tooling/flow-tests/test-draft.ts'
import { createReplays } from '../tooling/replay/replay-request.ts'
import { createUploads, noUploads } from '../uploads/uploads-service.ts'
import { Deliveries } from '../webhooks/deliveries.ts'
import { Webhooks } from '../webhooks/webhooks-service.ts'
import { openChannels } from './open-channels.ts'
import type { openStores } from './open-stores.ts'

/** Parts that operations are made of. */
export interface OperationParts {
  readonly config: Config
  readonly chat: ChatDependencies & { readonly channelOutput: ChannelOutput; readonly log: Logger }
  readonly stores: Awaited<ReturnType<typeof openStores>>
  readonly directory: ChannelDirectory
  /** Whether results outlive the process. */
  readonly keepsResults: boolean
}

/** Operations of operators and authors beside conversations, and all that the process begins by itself: timers, deliveries, retention. */
export function openOperations({ config, chat, stores, directory, keepsResults }: OperationParts) {
  const { http, closing, files, log } = chat
  const { flowTable, counts } = stores
  const timers = new TimerRunner(chat)
  const sending = { table: stores.endpoints, outbox: stores.outbox }
  const deliveries = new Deliveries({ ...chat, ...sending, endpoints: stores.subscribers })
  const uploads = files && config.uploads ? createUploads({ ...config.uploads, chat, files }) : noUploads
  const answering = { chat, uploads, calls: { http, closing } }
  const messengers = openChannels({ directory, stores, answering })
  const { channels, receiver } = messengers
  const noteErasure = createErasureLog(flowTable, log)
  const erasing = {
    ...chat,
    eraseFiles: uploads.removeOwned,
    flowTable,
    counts,
    noteErasure,
    // One that waits for a long turn of its session leaves the other place.
    erasing: createStepLine(2),
  }
  const endRetention = enforceRetention(erasing)
  return {
    services: {
      converter: createFlowConverter(),
      flowTests: createFlowTests({ chat, yaml: createYamlReader(), limitMs: config.flowTestsMs }),
      replays: createReplays({ chat, limitMs: config.flowTestsMs }),
      results: new Results({ ...erasing, keepsResults }),
      contacts: createContacts(erasing),
      analytics: createAnalytics(erasing),
      uploads,
      webhooks: new Webhooks({ ...sending, directory: stores.subscribers, sender: deliveries }),
      channels,
      receiver,
    },
    notices: async () => [...deliveries.notices(), ...(await channels.notices())],
    /** Begins nothing more that nobody asked for. */
    drain(): void {
      timers.drain()
      deliveries.stop()
      messengers.stop()
    },
    async close(): Promise<void> {
      await Promise.all([timers.end(), deliveries.close(), messengers.close(), endRetention()])
    },
  }
}
