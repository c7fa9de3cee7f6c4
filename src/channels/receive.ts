import { ServiceError } from '../lib/errors.ts'
import type { InboxStore, OutboxStore, StatusChange } from '../stores/outgoing/outbox-store.ts'
import type { ChannelDirectory, OpenChannel } from './channel-directory.ts'
import { rowOfMessage } from './inbox/inbox-row.ts'
import type { InboundRequest, StatusUpdate } from './messenger.ts'
import { adviceOf } from './outbox/send-event.ts'

interface ReceiveDependencies {
  readonly directory: ChannelDirectory
  readonly inbox: Pick<InboxStore, 'put'>
  readonly outbox: Pick<OutboxStore, 'track'>
  /** Looks for what has come in. */
  wake(): void
  /** Is told that the account of a channel can send nothing. */
  accountFailed(channel: string, problem: string): void
  readonly log: { warn(details: object, message: string): void }
}

/** Takes what messengers send. */
export type Receiver = ReturnType<typeof createReceiver>

export function createReceiver(deps: ReceiveDependencies) {
  const { directory, inbox, outbox, wake, log } = deps
  /** Throws UNAUTHORIZED for an unknown channel too, as for a request of somebody else: nobody learns which there are. */
  async function find(name: string): Promise<OpenChannel> {
    // Another process may have put it since.
    if (!directory.find(name)) await directory.refresh()
    const channel = directory.find(name)
    if (!channel?.account) throw unknown()
    return { ...channel, account: channel.account }
  }

  return {
    /** The answer to a messenger that asks whether the address is ours. Throws UNAUTHORIZED where it does not know the token. */
    async challenge(name: string, request: InboundRequest): Promise<string> {
      const { messenger } = (await find(name)).account
      const answer = messenger.challengeOf?.(request)
      if (answer === undefined) throw unknown()
      return answer
    },
    /** Keeps what a request has brought, and then returns. Throws UNAUTHORIZED for one that is not from the messenger. */
    async receive(name: string, request: InboundRequest): Promise<void> {
      const channel = await find(name)
      const { messenger } = channel.account
      if (!messenger.isGenuine(request)) throw unknown()
      const { messages, statuses, warnings } = messenger.parse(request)
      for (const warning of warnings) log.warn({ channel: name }, warning)
      const said = messages.filter(({ content }) => content.kind !== 'ignored')
      if (said.length > 0) await inbox.put(said.map((message) => rowOfMessage(message, channel)))
      if (statuses.length > 0) await outbox.track(statuses.map((status) => changeOf(status, channel)))
      if (said.length > 0) wake()
      for (const { error } of statuses) if (error?.kind === 'account') deps.accountFailed(name, error.message)
    },
  }
}

function changeOf({ reference, status, error }: StatusUpdate, { destination }: OpenChannel): StatusChange {
  const isPassing = error?.kind === 'wait' || error?.kind === 'account'
  return {
    destination,
    reference,
    status,
    ...(error && { error: adviceOf(error) }),
    ...(isPassing && { pauseMs: error.retryAfterMs ?? 60_000 }),
  }
}

const unknown = () =>
  new ServiceError('UNAUTHORIZED', 'There is no such channel, or the request is not from its messenger')
