import { channels } from '../../schemas/channel.ts'
import type { Channel as ChannelAnswer, ChannelBody, ChannelDeliveries } from '../../schemas/channels.ts'
import type { DeliveriesQuery } from '../../schemas/outgoing-webhooks.ts'
import { describeDelivery } from '../delivery/describe-delivery.ts'
import { formatInZone } from '../engine/values/zoned-time.ts'
import { invalidInput, ServiceError } from '../lib/errors.ts'
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

/** Deliveries of a page. */
const usualLimit = 50

/** Channels that there may be. */
const mostChannels = 64

/** Operations on channels. Everything about one that is not there throws NOT_FOUND. */
export class Channels {
  readonly #parts: ChannelsDependencies

  constructor(parts: ChannelsDependencies) {
    this.#parts = parts
  }

  async list() {
    const { directory } = this.#parts
    await directory.refresh()
    return { channels: directory.all.map((channel) => this.#describe(channel)) }
  }

  async get(name: string): Promise<ChannelAnswer> {
    return this.#describe(await this.#find(name))
  }

  /** Throws BAD_REQUEST for an account that is not there and for hours that are none, CONFLICT for a channel of the file. */
  async put(name: string, settings: ChannelBody, actor: string): Promise<ChannelAnswer> {
    const { directory, table, outbox, sender } = this.#parts
    await directory.refresh()
    const before = directory.find(name)
    if (before?.isFromFile) throw fromFile()
    const [problem] = problemsOfChannel(settings, directory)
    if (problem) throw invalidInput([problem])
    if (!before && directory.all.length >= mostChannels) throw tooMany()
    await table.put({ name, text: JSON.stringify(settings), actor })
    const channel = await this.#find(name)
    await outbox.retry(channel.destination, 'waiting')
    sender.resume(name)
    return this.#describe(channel)
  }

  async remove(name: string, actor: string): Promise<void> {
    const { directory, table } = this.#parts
    if (directory.find(name)?.isFromFile) throw fromFile()
    if (!(await table.remove({ name, actor }))) throw notFound()
    await directory.refresh()
  }

  async deliveriesOf(
    name: string,
    { limit = usualLimit, before, state }: DeliveriesQuery,
  ): Promise<ChannelDeliveries> {
    const { destination } = await this.#find(name)
    const found = await this.#parts.outbox.list(destination, { limit, before, state })
    return { deliveries: found.map(describeDelivery) }
  }

  /**
   * Sends one message now that has not arrived; or all of them, and answers what came in and could not be answered. Throws NOT_FOUND
   * for one that is not there or has arrived.
   */
  async retry(name: string, number?: number) {
    const { inbox, outbox, sender } = this.#parts
    const { destination, inbox: unanswered } = await this.#find(name)
    if (number === undefined) await inbox.retry(unanswered)
    const retried = await outbox.retry(destination, number)
    if (number !== undefined && retried === 0)
      throw new ServiceError('NOT_FOUND', 'There is no such delivery, or it has arrived')
    sender.resume(name)
    return { retried }
  }

  /** For the operator to know. */
  notices(): readonly string[] {
    return this.#parts.directory.all.flatMap((channel) => {
      const problem = channel.disabled ?? this.#problemOf(channel)
      return problem === undefined ? [] : `Channel "${channel.name}" is not at work: ${problem}`
    })
  }

  /** As the table has it now, whichever process changed it. */
  async #find(name: string): Promise<Channel> {
    const { directory } = this.#parts
    await directory.refresh()
    const channel = directory.find(name)
    if (!channel) throw notFound()
    return channel
  }

  #describe(channel: Channel): ChannelAnswer {
    const { publicUrl } = this.#parts
    const { name, settings, account, isFromFile, disabled } = channel
    const failing = this.#problemOf(channel)
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

  #problemOf({ name, settings, account }: Channel): string | undefined {
    return account ? this.#parts.sender.problemOf(name) : missingAccount(settings)
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
