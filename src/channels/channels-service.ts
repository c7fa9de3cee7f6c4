import { channels } from '../../schemas/channel.ts'
import type { Channel as ChannelAnswer, ChannelBody, ChannelDeliveries } from '../../schemas/channels.ts'
import type { DeliveriesQuery } from '../../schemas/outgoing-webhooks.ts'
import { formatInZone } from '../engine/values/zoned-time.ts'
import { invalidInput, ServiceError } from '../lib/errors.ts'
import { describeDelivery } from '../stores/outgoing/describe-delivery.ts'
import type { EndpointTable } from '../stores/outgoing/endpoint-table.ts'
import type { InboxStore, OutboxStore } from '../stores/outgoing/outbox-store.ts'
import type { Channel, ChannelDirectory } from './channel-directory.ts'

interface ChannelsDependencies {
  readonly directory: ChannelDirectory
  readonly table: EndpointTable
  readonly inbox: Pick<InboxStore, 'retry'>
  readonly outbox: Pick<OutboxStore, 'list' | 'retry'>
  readonly sender: { wake(): void; resume(name: string): void; problemOf(name: string): string | undefined }
  readonly publicUrl: string | undefined
}

/** Operations on channels. Everything about one that is not there throws NOT_FOUND. */
export type Channels = ReturnType<typeof createChannels>

/** Deliveries of a page. */
const usualLimit = 50

/** Channels that there may be. */
const mostChannels = 64

export function createChannels({ directory, table, inbox, outbox, sender, publicUrl }: ChannelsDependencies) {
  /** As the table has it now, whichever process changed it. */
  async function find(name: string): Promise<Channel> {
    await directory.refresh()
    const channel = directory.find(name)
    if (!channel) throw notFound()
    return channel
  }

  function describe({ name, settings, account, isFromFile, disabled }: Channel): ChannelAnswer {
    const failing = account ? sender.problemOf(name) : missingAccount(settings)
    return {
      name,
      ...settings,
      ...(account && { messenger: account.name }),
      ...(publicUrl !== undefined && { webhookUrl: webhookUrlOf(name, publicUrl) }),
      isFromFile,
      ...(disabled !== undefined && { disabled }),
      ...(failing !== undefined && { failing }),
    }
  }

  return {
    async list() {
      await directory.refresh()
      return { channels: directory.all.map(describe) }
    },
    get: async (name: string) => describe(await find(name)),
    /** Throws BAD_REQUEST for an account that is not there and for hours that are none, CONFLICT for a channel of the file. */
    async put(name: string, settings: ChannelBody, actor: string) {
      await directory.refresh()
      const before = directory.find(name)
      if (before?.isFromFile) throw fromFile()
      const [problem] = problemsOfChannel(settings, directory)
      if (problem) throw invalidInput([problem])
      if (!before && directory.all.length >= mostChannels) throw tooMany()
      await table.put({ name, text: JSON.stringify(settings), actor })
      const channel = await find(name)
      await outbox.retry(channel.destination, 'waiting')
      sender.resume(name)
      return describe(channel)
    },
    async remove(name: string, actor: string): Promise<void> {
      if (directory.find(name)?.isFromFile) throw fromFile()
      if (!(await table.remove({ name, actor }))) throw notFound()
      await directory.refresh()
    },
    async deliveriesOf(
      name: string,
      { limit = usualLimit, before, state }: DeliveriesQuery,
    ): Promise<ChannelDeliveries> {
      const { destination } = await find(name)
      const found = await outbox.list(destination, { limit, before, state })
      return { deliveries: found.map(describeDelivery) }
    },
    /**
     * Sends one message now that has not arrived; or all of them, and answers what came in and could not be answered. Throws NOT_FOUND
     * for one that is not there or has arrived.
     */
    async retry(name: string, number?: number) {
      const { destination, inbox: unanswered } = await find(name)
      if (number === undefined) await inbox.retry(unanswered)
      const retried = await outbox.retry(destination, number)
      if (number !== undefined && retried === 0)
        throw new ServiceError('NOT_FOUND', 'There is no such delivery, or it has arrived')
      sender.resume(name)
      return { retried }
    },
    /** For the operator to know. */
    notices: (): readonly string[] =>
      directory.all.flatMap(({ name, settings, account, disabled }) => {
        const problem = disabled ?? (account ? sender.problemOf(name) : missingAccount(settings))
        return problem === undefined ? [] : `Channel "${name}" is not at work: ${problem}`
      }),
  }
}

/** The address that a messenger is to be told. */
export const webhookUrlOf = (name: string, publicUrl: string): string =>
  `${publicUrl}/v1/channels/${name}/webhook`

/** Mistakes of settings that their shape does not show, with their places. */
export function problemsOfChannel(settings: ChannelBody, directory: Pick<ChannelDirectory, 'hasAccount'>) {
  const { account, hours } = settings
  const zone = hours?.timeZone
  return [
    ...(directory.hasAccount(account) ? [] : [{ pointer: '/account', message: missingAccount(settings) }]),
    ...(zone === undefined || formatInZone(0, zone) !== undefined
      ? []
      : [{ pointer: '/hours/timeZone', message: 'must be of the IANA list, such as Europe/Paris' }]),
    ...(hours?.open ?? []).flatMap(({ from, to }, index) =>
      from < to
        ? []
        : [{ pointer: `/hours/open/${index}/to`, message: 'must be behind from: split a night in two' }],
    ),
  ]
}

const missingAccount = ({ account }: ChannelBody) =>
  `has no account: CREDENTIALS_FILE holds none of the type ${channels.join(' or ')} with the id ${JSON.stringify(account)}`

const notFound = () => new ServiceError('NOT_FOUND', 'There is no channel of this name')

const fromFile = () =>
  new ServiceError(
    'CONFLICT',
    'This channel stands in CHANNELS_FILE: change it there, and start the service anew',
  )

const tooMany = () =>
  new ServiceError(
    'CONFLICT',
    `There are ${mostChannels} channels, the most that there may be: delete one first`,
  )
