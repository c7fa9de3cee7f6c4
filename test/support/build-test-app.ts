import { isDeepStrictEqual } from 'node:util'
import type { DestinationStream } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { createAnalytics } from '../../src/analytics/read-analytics.ts'
import { type AppDependencies, buildApp } from '../../src/compose/app.ts'
import type { Config } from '../../src/config/config.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { createContacts } from '../../src/contacts/contacts-service.ts'
import type { ContinueRequest } from '../../src/conversations/continue/continue-chat.ts'
import type { GetSessionRequest } from '../../src/conversations/get-session/get-session.ts'
import type { StartPreviewRequest } from '../../src/conversations/start/start-preview-chat.ts'
import type { StartPublishedRequest } from '../../src/conversations/start/start-published-chat.ts'
import { createBodyRoom } from '../../src/http/request/body/body-budget.ts'
import { createUnreadAnswers } from '../../src/http/response/unread-answers.ts'
import type { Server } from '../../src/http/types.ts'
import { toByteString } from '../../src/lib/byte-string.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { Results } from '../../src/results/results-service.ts'
import { createAnnouncements } from '../../src/stores/announcements.ts'
import type { FlowReport } from '../../src/tooling/lint/flow-report.ts'
import { noUploads } from '../../src/uploads/uploads-service.ts'
import { nowhere } from './nowhere.ts'
import { publicationOf } from './publication.ts'
import { createTestChat } from './start.ts'
import { openTestChannels } from './test-channels.ts'
import { openTestWebhooks } from './test-webhooks.ts'
import { standIn, type UseCases } from './use-cases.ts'

/** One line of the service log. */
export type LogLine = Record<string, unknown> & { msg: string }

/** A server as tests use it, with what it wrote to its log. */
export interface TestApp {
  readonly app: Server
  readonly logLines: LogLine[]
}

type TestDependencies = Partial<Omit<AppDependencies, 'logger' | 'config' | 'chat'>> & {
  readonly chat?: UseCases
  readonly config?: Partial<Config>
}

/** Builds the real server around the given use cases. It is closed when the test is over. */
export async function buildTestApp(dependencies: TestDependencies = {}): Promise<TestApp> {
  const built = await openTestApp(dependencies)
  onTestFinished(() => built.app.close())
  return built
}

/** Servers, and the file whose tests share them. */
const shared = { file: '', apps: [] as { readonly given: object; readonly opened: Promise<TestApp> }[] }

/**
 * A server that the tests of a file have one after the other, as building one takes longer than most requests: the same where the
 * same is given. For use cases that stand in for the real ones, and tests that do no more than send requests.
 */
export async function shareTestApp({
  chat = recordingChat().chat,
  ...given
}: TestDependencies = {}): Promise<TestApp> {
  const { testPath: file = '' } = expect.getState()
  if (shared.file !== file) {
    for (const { opened } of shared.apps) await (await opened).app.close()
    Object.assign(shared, { file, apps: [] })
  }
  const known = shared.apps.find((each) => isDeepStrictEqual(each.given, given))
  if (known) standIn(chat, createTestChat())
  const opened = known?.opened ?? openTestApp({ chat, ...given })
  if (!known) shared.apps.push({ given, opened })
  const { app, logLines } = await opened
  logLines.length = 0
  return { app, logLines }
}

async function openTestApp(dependencies: TestDependencies): Promise<TestApp> {
  const logLines: LogLine[] = []
  const world = createTestChat()
  const app = await buildApp({
    converter: { convert: () => Promise.reject(new Error('nothing is converted here')) },
    flowTests: { run: () => Promise.reject(new Error('nothing is tested here')) },
    replays: { run: () => Promise.reject(new Error('nothing is replayed here')) },
    results: new Results(world),
    contacts: createContacts(world),
    analytics: createAnalytics(world),
    uploads: noUploads,
    webhooks: openTestWebhooks().webhooks,
    ...openTestChannels(),
    readiness: async () => [],
    load: { delayMs: 0, heapBytes: 0, rssBytes: 0 },
    publication: publicationOf([]),
    notices: () => [],
    ownBlockSchemas: [],
    heavyPreviews: nowhere.heavyTurns,
    loadLimits: { delayMs: 500, heapBytes: 1_000_000, rssBytes: 1_000_000 },
    room: createBodyRoom({ maxBytes: 64 * 1024 * 1024, elapsed: () => performance.now() }),
    unreadAnswers: createUnreadAnswers({ maxBytes: 64 * 1024 * 1024 }),
    announcements: createAnnouncements(),
    requestAnswered: nowhere.metrics.requestAnswered,
    metricsText: { contentType: 'text/plain', text: async () => '' },
    ...dependencies,
    chat: standIn(dependencies.chat ?? recordingChat().chat, world),
    config: { ...readConfig({ RATE_LIMIT_MAX: '0', WEBHOOK_WAIT_SECONDS: '0' }), ...dependencies.config },
    logger: createLogger('info', collectInto(logLines)),
  })
  return { app, logLines }
}

function collectInto(lines: LogLine[]): DestinationStream {
  return { write: (line) => lines.push(JSON.parse(line)) }
}

const report: FlowReport = {
  valid: true,
  runnable: true,
  summary: { error: 0, warning: 0, info: 0 },
  findings: [],
}

/** Use cases that remember what they were asked, and answer it all with the same text. */
export function recordingChat(answer = '{"sessionId":"session-1","messages":[]}') {
  const published: StartPublishedRequest[] = []
  const previews: StartPreviewRequest[] = []
  const continued: ContinueRequest[] = []
  const looked: GetSessionRequest[] = []
  const chat: UseCases = {
    startPublished: async (request) => {
      published.push(request)
      return toByteString(answer)
    },
    startPreview: async (request) => {
      previews.push(request)
      return toByteString(answer)
    },
    validate: async () => report,
    validatePublished: async () => report,
    continue: async (request) => {
      continued.push(request)
      return toByteString(answer)
    },
    getSession: async (request) => {
      looked.push(request)
      return toByteString(answer)
    },
    follow: async () => (receiver) => receiver.end(),
    trace: async () => [],
    recording: () => Promise.reject(new Error('nothing is recorded here')),
    resultRecording: () => Promise.reject(new Error('nothing is recorded here')),
    followTrace: async () => (receiver) => receiver.end(),
    saveClientLogs: async () => undefined,
    updateFlow: async () => undefined,
    sessionOfResult: async () => 'session-1',
    executeWebhook: async () => undefined,
    readWebhook: async () => undefined,
    isPreviewListening: async () => false,
    confirmPayment: async () => undefined,
    streamMessage: async () => (async function* () {})(),
  }
  return { chat, published, previews, continued, looked }
}

/** Use cases that fail. */
export function failingChat(error: unknown): UseCases {
  const fail = async () => {
    throw error
  }
  return {
    startPublished: fail,
    startPreview: fail,
    validate: fail,
    validatePublished: fail,
    continue: fail,
    getSession: fail,
    follow: fail,
    trace: fail,
    recording: fail,
    resultRecording: fail,
    followTrace: fail,
    saveClientLogs: fail,
    updateFlow: fail,
    sessionOfResult: fail,
    executeWebhook: fail,
    readWebhook: fail,
    isPreviewListening: fail,
    confirmPayment: fail,
    streamMessage: fail,
  }
}
