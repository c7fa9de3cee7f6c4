import { onTestFinished, vi } from 'vitest'
import * as payments from '../../src/conversations/continue/confirm-payment.ts'
import * as continuing from '../../src/conversations/continue/continue-chat.ts'
import * as webhooks from '../../src/conversations/continue/execute-webhook.ts'
import * as clientLogs from '../../src/conversations/continue/save-client-logs.ts'
import * as updating from '../../src/conversations/continue/update-flow.ts'
import type { ChatDependencies } from '../../src/conversations/dependencies.ts'
import * as following from '../../src/conversations/events/follow-session.ts'
import * as looking from '../../src/conversations/get-session/get-session.ts'
import * as recordings from '../../src/conversations/recording/read-recording.ts'
import * as results from '../../src/conversations/session/find-result.ts'
import * as previews from '../../src/conversations/start/start-preview-chat.ts'
import * as starting from '../../src/conversations/start/start-published-chat.ts'
import * as streaming from '../../src/conversations/streaming/stream-message.ts'
import * as traces from '../../src/conversations/trace/read-trace.ts'
import * as validating from '../../src/tooling/validate/validate-flow.ts'

/** The use cases of conversations, before any test stands in for one. */
const real = {
  startPublished: starting.startPublishedChat,
  startPreview: previews.startPreviewChat,
  validate: validating.validateFlow,
  validatePublished: validating.validatePublished,
  continue: continuing.continueChat,
  getSession: looking.getSession,
  follow: following.followSession,
  trace: traces.readTrace,
  recording: recordings.readRecording,
  resultRecording: recordings.readResultRecording,
  followTrace: following.followTrace,
  saveClientLogs: clientLogs.saveClientLogs,
  updateFlow: updating.updateFlow,
  sessionOfResult: results.sessionOfResult,
  executeWebhook: webhooks.executeWebhook,
  readWebhook: webhooks.readWebhook,
  isPreviewListening: webhooks.isPreviewListening,
  confirmPayment: payments.confirmPayment,
  streamMessage: streaming.streamMessage,
}

type Name = keyof typeof real

/** The use cases as one object, each with what it works with. */
export type UseCases = {
  readonly [N in Name]: (request: Parameters<(typeof real)[N]>[0]) => ReturnType<(typeof real)[N]>
}

const dependenciesOf = new WeakMap<UseCases, ChatDependencies>()

/** The real use cases. */
export function useCasesOf(deps: ChatDependencies): UseCases {
  const bound = Object.entries(real).map(([name, run]) => {
    const useCase = (request: never) =>
      (run as (request: never, deps: ChatDependencies) => unknown)(request, deps)
    return [name, useCase] as const
  })
  const useCases = Object.fromEntries(bound) as unknown as UseCases
  dependenciesOf.set(useCases, deps)
  return useCases
}

/** What routes are to be made of for these use cases; those that are not real stand in for the others until the test ends. */
export function standIn(useCases: UseCases, others: ChatDependencies): ChatDependencies {
  const deps = dependenciesOf.get(useCases)
  if (deps) return deps
  const spies = [
    vi.spyOn(starting, 'startPublishedChat').mockImplementation(useCases.startPublished),
    vi.spyOn(previews, 'startPreviewChat').mockImplementation(useCases.startPreview),
    vi.spyOn(validating, 'validateFlow').mockImplementation(useCases.validate),
    vi.spyOn(validating, 'validatePublished').mockImplementation(useCases.validatePublished),
    vi.spyOn(continuing, 'continueChat').mockImplementation(useCases.continue),
    vi.spyOn(looking, 'getSession').mockImplementation(useCases.getSession),
    vi.spyOn(following, 'followSession').mockImplementation(useCases.follow),
    vi.spyOn(following, 'followTrace').mockImplementation(useCases.followTrace),
    vi.spyOn(traces, 'readTrace').mockImplementation(useCases.trace),
    vi.spyOn(recordings, 'readRecording').mockImplementation(useCases.recording),
    vi.spyOn(recordings, 'readResultRecording').mockImplementation(useCases.resultRecording),
    vi.spyOn(clientLogs, 'saveClientLogs').mockImplementation(useCases.saveClientLogs),
    vi.spyOn(updating, 'updateFlow').mockImplementation(useCases.updateFlow),
    vi.spyOn(results, 'sessionOfResult').mockImplementation(useCases.sessionOfResult),
    vi.spyOn(webhooks, 'executeWebhook').mockImplementation(useCases.executeWebhook),
    vi.spyOn(webhooks, 'readWebhook').mockImplementation(useCases.readWebhook),
    vi.spyOn(webhooks, 'isPreviewListening').mockImplementation(useCases.isPreviewListening),
    vi.spyOn(payments, 'confirmPayment').mockImplementation(useCases.confirmPayment),
    vi.spyOn(streaming, 'streamMessage').mockImplementation(useCases.streamMessage),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return others
}
