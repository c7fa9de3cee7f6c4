import type { ContactLink, ContactStore, StoredContact } from '../../contact-store.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { storableText } from '../postgres-text.ts'
import { eraseContact, findContact, listLinks, unlinkContact } from './contact-statements.ts'

type Row = { readonly [column in keyof StoredContact]: StoredContact[column] | null } & {
  readonly readAt: number
  /** Null where there is none. */
  readonly isErased: boolean | null
}

/** Persons as rows of a database that several processes share. */
export function createPostgresContactStore({ query }: Pick<PostgresDatabase, 'query'>): ContactStore {
  return {
    async find(key) {
      const [row] = (await query<Row>(findContact, [key])) as [Row]
      const { readAt, isErased, profile, ...contact } = row
      if (isErased !== false) return { contact: undefined, readAt }
      return { contact: { ...(contact as StoredContact), profile: profile ?? undefined }, readAt }
    },
    links: (key, { before = Number.MAX_SAFE_INTEGER, flowId, limit }) =>
      query<ContactLink>(listLinks, [key, before, flowId === undefined ? null : storableText(flowId), limit]),
    async erase(key) {
      await query(eraseContact, [key])
    },
    async unlink(key, numbers) {
      await query(unlinkContact, [key, numbers])
    },
  }
}
