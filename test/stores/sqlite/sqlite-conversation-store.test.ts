import { describe } from 'vitest'
import { fixedNow } from '../../support/fixed-ports.ts'
import { describeContactStore } from '../contracts/contact-store.ts'
import { describeConversationStore } from '../contracts/conversation-store.ts'
import { describeCountStore } from '../contracts/count-store.ts'
import { describeInboxStore } from '../contracts/inbox-store.ts'
import { describeOutboxStore } from '../contracts/outbox-store.ts'
import { answerMs, bindings, openEmbedded, ttlMs, waitMs } from './embedded-store.ts'

describe.each(bindings)('%s', (binding) => {
  describeConversationStore('embedded conversation store', async () => {
    const embedded = await openEmbedded({ binding })
    return { ...embedded, kill: (store) => store.close(), ttlMs, answerMs, leaseMs: 1000, waitMs }
  })
  const openQueues = async () => {
    const embedded = await openEmbedded({ binding })
    return { ...embedded, flows: embedded.flowTable, sweep: () => embedded.folder.sweep() }
  }
  describeOutboxStore('embedded outbox', openQueues)
  describeInboxStore('embedded inbox', openQueues)
  describeContactStore('embedded contact store', () => openEmbedded({ binding }))
  describeCountStore('embedded count store', async () => {
    const embedded = await openEmbedded({ binding })
    return { ...embedded, now: fixedNow, sweep: () => embedded.folder.sweep() }
  })
})
