import { setMaxListeners } from 'node:events'
import type { ChatDependencies } from '../../src/conversations/dependencies.ts'
import type { Metrics } from '../../src/ports/metrics-port.ts'

/** Counts nothing. */
const noMetrics: Metrics = {
  requestAnswered: () => undefined,
  turnDone: () => undefined,
  errorsLeft: () => undefined,
  storeAsked: () => undefined,
  limitReached: () => undefined,
  draftRead: () => undefined,
  heavyTurnRefused: () => undefined,
  codeDone: () => undefined,
  codeThreadLost: () => undefined,
  requestDone: () => undefined,
  mailDone: () => undefined,
  deliveryDone: () => undefined,
  spansDone: () => undefined,
  questionDone: () => undefined,
}

const closing = new AbortController().signal
// As the service itself has it: every turn that waits listens.
setMaxListeners(0, closing)

/** An outside where nothing runs and nothing is reached. */
export const nowhere: Pick<
  ChatDependencies,
  | 'sandbox'
  | 'http'
  | 'mailer'
  | 'credentials'
  | 'files'
  | 'closing'
  | 'metrics'
  | 'heavyTurns'
  | 'subscribers'
> = {
  sandbox: {
    run: async () => ({ ok: false, message: 'there is no sandbox here', reason: 'busy' }),
    close: async () => undefined,
  },
  http: {
    send: async () => ({ kind: 'failed', message: 'there is no network here' }),
    stream: () => Promise.reject(new Error('there is no network here')),
    close: async () => undefined,
  },
  mailer: {
    send: async () => ({ kind: 'failed', message: 'there is no post here', details: {} }),
    compose: () => Promise.reject(new Error('there is no post here')),
    close: async () => undefined,
  },
  credentials: {
    mailAccount: () => undefined,
    model: () => undefined,
    vendor: () => undefined,
    webhook: () => undefined,
    channel: () => undefined,
  },
  files: undefined,
  subscribers: { isEmpty: true, wanting: () => [] },
  closing,
  metrics: noMetrics,
  heavyTurns: { admit: () => true },
}
