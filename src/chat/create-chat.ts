import type { Chat } from './chat.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { continueChat } from './continue-chat.ts'
import { executeWebhook } from './execute-webhook.ts'
import { createOpenings } from './openings.ts'
import { saveClientLogs } from './save-client-logs.ts'
import { startPreviewChat } from './start-preview-chat.ts'
import { startPublishedChat } from './start-published-chat.ts'
import { createStreamMessage } from './stream-message.ts'
import { updateFlow } from './update-flow.ts'

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
