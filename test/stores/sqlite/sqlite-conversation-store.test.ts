import { describe } from 'vitest'
import { describeConversationStore } from '../contracts/conversation-store.ts'
import { answerMs, bindings, openEmbedded, ttlMs, waitMs } from './embedded-store.ts'

describe.each(bindings)('%s', (binding) => {
  describeConversationStore('embedded conversation store', async () => {
    const embedded = await openEmbedded({ binding })
    return { ...embedded, kill: (store) => store.close(), ttlMs, answerMs, leaseMs: 1000, waitMs }
  })
})
