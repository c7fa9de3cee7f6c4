import type { InviteBody, Invited } from '../../schemas/channels.ts'
import { contactKey } from '../conversations/contact/met-contact.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { startPublishedChat } from '../conversations/start/start-published-chat.ts'
import { contentHash } from '../definition/content-hash.ts'
import { readJson } from '../lib/byte-string.ts'
import { ServiceError } from '../lib/errors.ts'
import type { IdempotencyKey } from '../stores/conversation-store.ts'
import type { ChannelDirectory } from './channel-directory.ts'
import { hasOptedOut } from './inbox/opt-out.ts'
import { findPerson } from './inbox/person.ts'
import { lastConversation } from './inbox/visit.ts'

interface InviteRequest {
  /** Of the channel. */
  readonly name: string
  readonly body: InviteBody
  /** Name of the operator's token. */
  readonly actor: string
}

interface InviteDependencies {
  readonly directory: ChannelDirectory
  readonly chat: ChatDependencies
}

/** Name by which it is remembered of a person what they have agreed to: when, to which words, and where. */
const consentName = '$consent'

/**
 * Begins a conversation with somebody by a template, whose flow starts when they answer. Throws NOT_FOUND for a channel that is not
 * there, BAD_REQUEST for one without templates, CONFLICT for whoever wants no messages, and where a conversation goes on.
 */
export async function invite(
  { name, body, actor }: InviteRequest,
  { directory, chat }: InviteDependencies,
): Promise<Invited> {
  await directory.refresh()
  const found = directory.find(name)
  if (!found) throw new ServiceError('NOT_FOUND', 'There is no channel of this name')
  const { account } = found
  if (!account?.messenger.writeTemplate) throw noTemplates()
  const channel = { ...found, account }
  const { contact, template, consent, key, variables, flow: publicId = channel.settings.flow } = body
  const { user, ...profile } = contact
  const id = await findPerson({ id: user }, channel, chat)
  const personKey = contactKey({ id, isVerified: true })
  if (await hasOptedOut(personKey, chat.contacts))
    throw new ServiceError('CONFLICT', 'This person wants no messages: they have to write first')
  const idempotency = {
    key: contentHash(JSON.stringify(['invite', name, key])),
    fingerprint: contentHash(JSON.stringify(body)),
    isRepeated: false,
    replayed() {
      this.isRepeated = true
    },
  }
  const last = await lastConversation(id, channel, chat)
  const isOpen = last !== undefined && last.session.state !== 'ended'
  if (isOpen && !(await wasAnswered(idempotency, chat)))
    throw new ServiceError('CONFLICT', 'A conversation with this person goes on: let it end, or end it')
  const answer = await startPublishedChat(
    {
      publicId,
      origin: undefined,
      caller: { kind: 'channel' },
      body: {
        contact: { id, ...profile },
        ...(variables && { prefilledVariables: variables }),
        isOnlyRegistering: true,
      },
      idempotency,
      channel: { name, messenger: account.name, to: user },
      invitation: {
        template: account.messenger.writeTemplate(template),
        memory: [[consentName, [consent.at, consent.text, consent.source]]],
      },
    },
    chat,
  ).catch(nameKey)
  if (!idempotency.isRepeated)
    await chat.flowTable.note({ actor, action: 'invite', subject: name, detail: `by ${template.name}` })
  return { sessionId: String(readJson(answer)['sessionId']), contactId: id }
}

/** Says by its own name which key was used before. */
function nameKey(error: unknown): never {
  if (!(error instanceof ServiceError && error.code === 'UNPROCESSABLE_CONTENT')) throw error
  const problems = [{ pointer: '/key', message: 'names another invitation: give each its own' }]
  throw new ServiceError('UNPROCESSABLE_CONTENT', 'This invitation differs from the one before', { problems })
}

/** Whether an invitation is repeated, whose conversation then goes on. */
async function wasAnswered(
  idempotency: IdempotencyKey,
  { conversations, ports }: ChatDependencies,
): Promise<boolean> {
  const entered = await conversations.enterStart({ newId: ports.createId('session'), idempotency })
  if (entered.state === 'entered') await conversations.release(entered.lease)
  return entered.state !== 'entered'
}

const noTemplates = () =>
  new ServiceError(
    'BAD_REQUEST',
    'Nobody can be invited here: the messenger has no templates, or the account is not there',
  )
