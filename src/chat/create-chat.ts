import type { Chat } from './chat.ts'
import { continueChat } from './continue/continue-chat.ts'
import { executeWebhook } from './continue/execute-webhook.ts'
import { saveClientLogs } from './continue/save-client-logs.ts'
import { updateFlow } from './continue/update-flow.ts'
import type { ChatDependencies } from './dependencies.ts'
import { startPreviewChat } from './start/start-preview-chat.ts'
import { startPublishedChat } from './start/start-published-chat.ts'
import { createOpenings } from './start/start-snapshot-cache.ts'
import { createStreamMessage } from './streaming/stream-message.ts'

/** Puts the use cases together with what they work with. */
export function createChat(dependencies: ChatDependencies): Chat {
  const openings = createOpenings()
  return {
    startPublished: (request) => startPublishedChat(request, dependencies, openings),
    startPreview: (request) => startPreviewChat(request, dependencies),
    recallDraft: (name) => dependencies.drafts.recall(name),
    continue: (request) => continueChat(request, dependencies),
    saveClientLogs: (request) => saveClientLogs(request, dependencies),
    updateFlow: (request) => updateFlow(request, dependencies),
    executeWebhook: (request) => executeWebhook(request, dependencies),
    streamMessage: createStreamMessage(dependencies),
  }
}
