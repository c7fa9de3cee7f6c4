import { languageTag } from '../../../schemas/common.ts'
import type { Contact } from '../../../schemas/contact.ts'
import { contactKey } from '../../conversations/contact/met-contact.ts'
import { contentHash } from '../../definition/content-hash.ts'
import type { OpenChannel } from '../channel-directory.ts'
import type { ChannelUser } from '../messenger.ts'

/** Characters of the id of a contact. */
const longestId = 128

type Account = {
  readonly account: Pick<OpenChannel['account'], 'name'>
  readonly settings: { readonly account: string }
}

/** The contact that somebody on a messenger is: `whatsapp:ACCOUNT:USER`, and a hash of the rest where that is too long. */
export function contactIdOf(userId: string, { account: { name }, settings }: Account): string {
  const id = `${name}:${settings.account}:${userId}`
  return id.length <= longestId ? id : `${name}:${contentHash(`${settings.account}:${userId}`)}`
}

/** Names the contact in the stores. */
const keyOfUser = (userId: string, account: Account): string =>
  contactKey({ id: contactIdOf(userId, account), isVerified: true })

/** Messages of one person are taken in order: a name that may go, such as a number, comes before the one that stays. */
export const lineOf = ({ id, otherIds: [first] = [] }: ChannelUser, account: Account): string =>
  keyOfUser(first ?? id, account)

/** A person as a messenger describes them, as far as it is fit for a contact. */
export function profileOf({ name, phone, locale }: ChannelUser): Omit<Contact, 'id'> {
  return {
    ...(name && { name: name.slice(0, 200).toWellFormed() }),
    ...(phone && { phone: phone.slice(0, 40) }),
    ...(locale && locale.length <= 35 && new RegExp(languageTag).test(locale) && { locale }),
  }
}
