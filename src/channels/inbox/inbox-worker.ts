import { QueuePump } from '../../delivery/queue-pump.ts'
import type { InboxStore } from '../../stores/outgoing/outbox-store.ts'
import type { ChannelDirectory } from '../channel-directory.ts'
import { answerEvent } from './answer-event.ts'
import type { InboxDependencies } from './visit.ts'

interface WorkerOptions {
  readonly directory: ChannelDirectory
  readonly inbox: Pick<InboxStore, 'claim' | 'settle'>
  readonly answering: InboxDependencies
}

/** Turns of one process for messages at once. */
const atOnce = 64

/** Another process may claim a message that was not answered by then; while its turn is under way, it waits for that. */
const leaseMs = 30_000

/** Answers what comes in by messengers: messages of one person in order, those of others side by side. */
export function runInbox({ directory, inbox, answering }: WorkerOptions): QueuePump {
  const { ports, log } = answering.chat
  return new QueuePump({
    queue: inbox,
    refresh: () => directory.refresh(),
    destinations: () => directory.open.map((channel) => channel.inbox),
    async handle(event, isOurs) {
      const channel = directory.open.find((each) => each.inbox === event.destination)
      if (!channel) return { state: 'waiting', pauseMs: 1000 }
      return answerEvent(event, channel, { ...answering, isOurs })
    },
    atOnce,
    leaseMs,
    elapsed: ports.elapsed,
    log,
    what: 'messages of messengers',
  })
}
