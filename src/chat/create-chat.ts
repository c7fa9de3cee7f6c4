import type { Chat } from './chat.ts'
import { confirmPayment } from './continue/confirm-payment.ts'
import { continueChat } from './continue/continue-chat.ts'
import { executeWebhook, isPreviewListening, readWebhook } from './continue/execute-webhook.ts'
import { saveClientLogs } from './continue/save-client-logs.ts'
import { updateFlow } from './continue/update-flow.ts'
import type { ChatDependencies } from './dependencies.ts'
import { createFollowSession } from './events/follow-session.ts'
import { createWebhookWait } from './events/webhook-wait.ts'
import { getSession } from './get-session/get-session.ts'
import { readRecording, readResultRecording } from './recording/read-recording.ts'
import { findResult } from './session/find-result.ts'
import { startPreviewChat } from './start/start-preview-chat.ts'
import { startPublishedChat } from './start/start-published-chat.ts'
import { createStartSnapshotCache } from './start/start-snapshot-cache.ts'
import { createStreamMessage } from './streaming/stream-message.ts'
import { readTrace } from './trace/read-trace.ts'
import { validateFlow, validatePublished } from './validate/validate-flow.ts'

/** Puts the use cases together with what they work with. */
export function createChat(deps: ChatDependencies): Chat {
  const waitForWebhook = createWebhookWait(deps)
  const openings = createStartSnapshotCache()
  return {
    startPublished: (request) => startPublishedChat(request, deps, openings),
    startPreview: (request) => startPreviewChat(request, deps),
    recallDraft: (name) => deps.drafts.recall(name),
    validate: (request) => validateFlow(request, deps),
    validatePublished: (request) => validatePublished(request, deps),
    continue: (request) => continueChat(request, deps, waitForWebhook),
    getSession: (request) => getSession(request, deps),
    ...createFollowSession(deps),
    trace: (request) => readTrace(request, deps),
    recording: (request) => readRecording(request, deps),
    resultRecording: (request) => readResultRecording(request, deps),
    saveClientLogs: (request) => saveClientLogs(request, deps),
    updateFlow: (request) => updateFlow(request, deps),
    sessionOfResult: async (request) => (await findResult(request, deps)).lastChatSessionId,
    executeWebhook: (request) => executeWebhook(request, deps),
    readWebhook: (id) => readWebhook(id, deps),
    isPreviewListening: (request) => isPreviewListening(request, deps),
    confirmPayment: (request) => confirmPayment(request, deps),
    streamMessage: createStreamMessage(deps),
  }
}
