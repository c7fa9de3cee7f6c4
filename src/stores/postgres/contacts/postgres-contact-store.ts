import type {
  ContactLink,
  ContactLinksRequest,
  ContactStore,
  FoundContact,
  StoredContact,
} from '../../contact-store.ts'
import type { PostgresDatabase } from '../postgres-database.ts'
import { batchStatements, columnsOf, groupByNumber, type Numbered } from '../statement-batch.ts'
import { eraseContact, findContacts, listLinks, unlinkContact } from './contact-statements.ts'

type ContactRow = { readonly [column in keyof StoredContact]: StoredContact[column] | null } & {
  readonly readAt: number
  /** Null where there is none. */
  readonly isErased: boolean | null
}

/** One statement under way, and a larger one next: fewer of them leave connections and the server to turns. */
const oneAtATime = { maxStatements: 1 }

/** Persons as rows of a database that several processes share. */
export function createPostgresContactStore({ query }: Pick<PostgresDatabase, 'query'>): ContactStore {
  const find = batchStatements(async (keys: readonly string[]) => {
    const rows = await query<ContactRow & Numbered>(findContacts, [keys])
    return groupByNumber(keys, rows).map(([row]) => foundOf(row as ContactRow))
  }, oneAtATime)
  const links = batchStatements(
    async (requests: readonly (ContactLinksRequest & { readonly key: string })[]) => {
      const values = columnsOf(
        requests,
        'key',
        ({ before = Number.MAX_SAFE_INTEGER }) => before,
        'flowId',
        'limit',
      )
      const rows = await query<ContactLink & Numbered>(listLinks, values)
      return groupByNumber(requests, rows).map((group) => group.map(({ n, ...link }) => link))
    },
    oneAtATime,
  )
  return {
    find,
    links: (key, request) => links({ ...request, key }),
    async erase(key) {
      await query(eraseContact, [key])
    },
    async unlink(key, numbers) {
      await query(unlinkContact, [key, numbers])
    },
  }
}

function foundOf({
  readAt,
  isErased,
  profile,
  memory,
  revision,
  firstSeen,
  lastSeen,
}: ContactRow): FoundContact {
  if (isErased !== false) return { contact: undefined, readAt }
  const contact = { memory, revision, firstSeen, lastSeen } as StoredContact
  return { contact: { ...contact, profile: profile ?? undefined }, readAt }
}
