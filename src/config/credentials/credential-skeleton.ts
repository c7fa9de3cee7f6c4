import type { TSchema } from '@sinclair/typebox'
import { credentialSchemaOf } from './credential-schemas.ts'

/** An account by the names that a flow calls it. */
export interface NeededAccount {
  readonly type: string
  readonly id: string
}

/** Fields that an account is of no use without, though its schema would let it be another kind. */
const neededBeside: Readonly<Record<string, readonly string[]>> = {
  'dify-ai': ['apiKey'],
  'google sheets': ['client_email', 'private_key'],
  gmail: ['refresh_token', 'client_id', 'client_secret', 'email'],
}

/**
 * Entries of CREDENTIALS_FILE for accounts, whose secrets are left to variables of the environment, each with a name of its
 * own: that of the type, with a number where a type has several accounts.
 */
export function credentialSkeleton(accounts: readonly NeededAccount[]) {
  const counts = new Map<string, number>()
  return accounts.map(({ type, id }) => {
    const count = (counts.get(type) ?? 0) + 1
    counts.set(type, count)
    // OPENAI_API_KEY and others like it are accounts by themselves.
    const variable = `ACCOUNT_${variableName(type)}${count > 1 ? `_${count}` : ''}`
    return { id, type, data: fieldsOf(credentialSchemaOf(type), variable, neededBeside[type]) }
  })
}

function fieldsOf(
  schema: TSchema | undefined,
  variable: string,
  others: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly required?: readonly string[]
  }
  const fields = Object.entries(properties).filter(
    ([name]) => required.includes(name) || others.includes(name),
  )
  return Object.fromEntries(
    fields.map(([name, field]) => [name, skeletonOf(field, `${variable}_${variableName(name)}`)]),
  )
}

/** Only texts can be left to the environment; the one number that is asked for is the port of mail servers. */
function skeletonOf(field: TSchema, variable: string): unknown {
  if (field['type'] === 'object') return fieldsOf(field, variable)
  return field['type'] === 'integer' ? 587 : `$env:${variable}`
}

/** "apiKey" as API_KEY. */
const variableName = (name: string) =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replace(/\W+/g, '_')
    .toUpperCase()
