import { channels } from '../../schemas/channel.ts'
import type { Channel as ChannelAnswer, ChannelBody } from '../../schemas/channels.ts'
import { type DestinationParts, Destinations } from '../delivery/destinations.ts'
import { formatInZone } from '../engine/values/zoned-time.ts'
import { invalidInput, ServiceError } from '../lib/errors.ts'
import type { InboxStore } from '../stores/outgoing/outbox-store.ts'
import type { PublishedFlow } from '../stores/published-flows.ts'
import type { Channel, ChannelDirectory } from './channel-directory.ts'

interface ChannelsDependencies extends DestinationParts<Channel> {
  readonly directory: ChannelDirectory
  readonly inbox: Pick<InboxStore, 'retry'>
  readonly published: { byPublicId(publicId: string): Promise<Pick<PublishedFlow, 'isArchived'> | undefined> }
  readonly publicUrl: string | undefined
}

/** Operations on channels. Nothing changes one of the file: CONFLICT. */
export class Channels extends Destinations<Channel, ChannelBody, ChannelAnswer, ChannelsDependencies> {
  constructor(parts: ChannelsDependencies) {
    super('channel', parts)
  }

  override async remove(name: string, actor: string): Promise<void> {
    if (this.parts.directory.find(name)?.isFromFile) throw fromFile()
    await super.remove(name, actor)
  }

  /** Where all are sent, what came in and could not be answered is answered too. */
  override async retry(name: string, number?: number) {
    const { inbox } = await this.find(name)
    if (number === undefined) await this.parts.inbox.retry(inbox)
    return super.retry(name, number)
  }

  /** For the operator to know. */
  async notices(): Promise<readonly string[]> {
    const notices = this.parts.directory.all.map(async (channel) => {
      const problem = channel.disabled ?? (await this.#problemOf(channel))
      return problem === undefined ? [] : [`Channel "${channel.name}" is not at work: ${problem}`]
    })
    return (await Promise.all(notices)).flat()
  }

  /** The same at the start, when nothing was tried yet: who writes there would hear nothing. */
  async noticesAtStart(): Promise<readonly string[]> {
    await this.parts.directory.refresh()
    return this.notices()
  }

  /** Throws BAD_REQUEST for an account that is not there and for hours that are none. */
  protected kept(settings: ChannelBody, before: Channel | undefined): ChannelBody {
    if (before?.isFromFile) throw fromFile()
    const [problem] = problemsOfChannel(settings, this.parts.directory)
    if (problem) throw invalidInput([problem])
    return settings
  }

  protected async describe(channel: Channel): Promise<ChannelAnswer> {
    const { publicUrl } = this.parts
    const { name, settings, account, isFromFile, disabled } = channel
    const failing = await this.#problemOf(channel)
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

  async #problemOf({ name, settings, account }: Channel): Promise<string | undefined> {
    if (!account) return missingAccount(settings)
    return this.parts.sender.problemOf(name) ?? (await this.#missingFlowOf(settings))
  }

  async #missingFlowOf({ flow, flows = [] }: ChannelBody): Promise<string | undefined> {
    const named = [
      { pointer: '/flow', flow },
      ...flows.map((entry, at) => ({ pointer: `/flows/${at}/flow`, ...entry })),
    ]
    for (const { pointer, flow: publicId } of named) {
      const published = await this.parts.published.byPublicId(publicId)
      if (!published || published.isArchived) return missingFlow(pointer, publicId)
    }
    return undefined
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

const missingFlow = (pointer: string, publicId: string) =>
  `${pointer}: no flow is published as ${JSON.stringify(publicId)}, and who writes gets no answer: publish it, or name another`

const fromFile = () =>
  new ServiceError(
    'CONFLICT',
    'This channel stands in CHANNELS_FILE: change it there, and start the service anew',
  )
