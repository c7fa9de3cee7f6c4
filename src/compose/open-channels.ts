import { ChannelDirectory, type MessengerAccount } from '../channels/channel-directory.ts'
import { Channels, problemsOfChannel } from '../channels/channels-service.ts'
import { createMessenger } from '../channels/create-messenger.ts'
import { rowOfResumption } from '../channels/inbox/inbox-row.ts'
import { runInbox } from '../channels/inbox/inbox-worker.ts'
import type { InboxDependencies } from '../channels/inbox/visit.ts'
import { ChannelSender } from '../channels/outbox/channel-sender.ts'
import { createReceiver } from '../channels/receive.ts'
import type { Reach } from '../config/load-config.ts'
import { contactKey } from '../conversations/contact/met-contact.ts'
import type { ReceivedWebhook } from '../conversations/dependencies.ts'
import { contentHash } from '../definition/content-hash.ts'
import { ConfigError } from '../lib/config-error.ts'
import type { BackEnd } from './back-end.ts'

type Stores = Pick<BackEnd, 'channels' | 'inbox' | 'outbox' | 'contacts' | 'conversations'>

/** Opens what the operator says of messengers. Throws ConfigError for a channel of CHANNELS_FILE that can't be. */
export function openDirectory(
  { channels, credentials }: Reach,
  stores: Pick<Stores, 'channels'>,
): ChannelDirectory {
  const directory = new ChannelDirectory({
    table: stores.channels,
    file: channels,
    openAccount: createAccountOpener(credentials),
  })
  const problems = [...channels].flatMap(([name, settings]) =>
    problemsOfChannel(settings, directory).map(
      ({ pointer, message }) => `CHANNELS_FILE /${name}${pointer} ${message}`,
    ),
  )
  if (problems.length > 0) throw new ConfigError(problems)
  return directory
}

/** A messenger is opened once for each account. */
function createAccountOpener(credentials: Reach['credentials']) {
  const opened = new Map<string, MessengerAccount>()
  return (id: string): MessengerAccount | undefined => {
    const account = credentials.channel(id)
    if (!account) return undefined
    const known = opened.get(id) ?? { name: account.type, messenger: createMessenger(account) }
    opened.set(id, known)
    return known
  }
}

interface ChannelParts {
  readonly directory: ChannelDirectory
  readonly stores: Stores
  readonly answering: InboxDependencies
}

/** Puts channels to work: what comes in is answered, and what goes out is sent. */
export function openChannels({ directory, stores, answering }: ChannelParts) {
  const { calls, chat } = answering
  const { ports, log, metrics, publicUrl, published } = chat
  const { inbox, outbox } = stores
  const worker = runInbox({ directory, inbox, answering })
  const sender = new ChannelSender({ ...stores, directory, calls, ports, metrics, log })
  return {
    receiver: createReceiver({
      directory,
      inbox,
      outbox,
      wake: worker.wake,
      accountFailed: sender.accountFailed,
      log,
    }),
    channels: new Channels({
      directory,
      table: stores.channels,
      inbox,
      outbox,
      sender,
      published,
      publicUrl,
    }),
    stop() {
      worker.stop()
      sender.stop()
    },
    async close() {
      await Promise.all([worker.close(), sender.close()])
    },
  }
}

/** Has a session on a messenger go on when a webhook listener of it is called: nobody is there who would ask. */
export const resumeOnWebhook =
  (
    { conversations, inbox }: Pick<Stores, 'conversations' | 'inbox'>,
    log: InboxDependencies['chat']['log'],
  ) =>
  async ({ sessionId }: ReceivedWebhook): Promise<void> => {
    try {
      const { session, revision, payload } = (await conversations.look(sessionId)) ?? {}
      if (!session?.channel || !session.contact || revision === undefined) return
      const { name: channel } = session.channel
      const eventId = `${contentHash(sessionId)}:${revision}:webhook:${payload?.number}`
      const line = contactKey(session.contact)
      await inbox.put([rowOfResumption({ sessionId, revision }, { channel, line, eventId })])
    } catch (err) {
      log.error({ err }, 'a session does not go on after a webhook was called')
    }
  }
