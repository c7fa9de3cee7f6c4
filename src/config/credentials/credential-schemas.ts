import type { Static, TObject } from '@sinclair/typebox'
import type { ErrorObject } from 'ajv'
import { taggedUnion } from '../../../schemas/tagged-union.ts'
import { Type } from '../../../schemas/type.ts'
import { messengers } from '../../channels/messenger-table.ts'
import { createLazyValidator, type Validator } from '../../definition/lazy-validator.ts'
import { BaseUrl, closed, Flag, Text, Word } from './account-fields.ts'
import { modelAddresses } from './model-makers.ts'
import { vendors } from './vendors/vendors.ts'

const Id = Type.String({ minLength: 1, description: 'text, not empty' })

/** An account as its owner writes it, whatever it is for. */
const CredentialEntry = Type.Object(
  {
    id: Id,
    type: Id,
    data: Type.Object({}, { description: 'an object' }),
    workspaceId: Type.Optional(Id),
    allowedFlows: Type.Optional(Type.Array(Id, { description: 'a list' })),
    allowPreview: Type.Optional(Flag),
  },
  closed,
)
export type CredentialEntry = Static<typeof CredentialEntry>

const SmtpData = Type.Object(
  {
    host: Type.String({ pattern: '^[^\\s/@]+$', description: 'the name or address of a server' }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'a whole number from 1 to 65535' }),
    username: Type.Optional(Text),
    password: Type.Optional(Text),
    isTlsEnabled: Type.Optional(Flag),
    ignoreTls: Type.Optional(Flag),
    from: Type.Object(
      {
        email: Type.String({
          pattern: '^[^\\s<>(),;:@"\\\\]+@[^\\s<>(),;:@"\\\\]+$',
          description: 'an address',
        }),
        name: Type.Optional(Text),
      },
      closed,
    ),
  },
  closed,
)
export type SmtpData = Static<typeof SmtpData>

const ModelData = Type.Object({ apiKey: Word, baseUrl: Type.Optional(BaseUrl) }, closed)
export type ModelData = Static<typeof ModelData>

/** Models of OpenAI in a resource at Azure: the address is that of a deployment. */
const AzureData = Type.Object({ apiKey: Word, baseUrl: BaseUrl, apiVersion: Type.Optional(Word) }, closed)
export type AzureData = Static<typeof AzureData>

/** The type of such an account. */
export const azureType = 'azure-openai'

/** The data of each type of account. */
const dataSchemas: Readonly<Record<string, TObject>> = {
  smtp: SmtpData,
  [azureType]: AzureData,
  ...Object.fromEntries(Object.entries(messengers).map(([type, { data }]) => [type, data])),
  ...Object.fromEntries([...modelAddresses.keys()].map((type) => [type, ModelData])),
  ...Object.fromEntries([...vendors].map(([type, { schema }]) => [type, schema])),
}

/** Content of CREDENTIALS_FILE for editors. Each text may be the name of a variable instead, which fits no pattern. */
export const credentialsFile = () =>
  Type.Array(
    taggedUnion(
      Object.entries(dataSchemas).map(([type, data]) =>
        Type.Object(
          { ...CredentialEntry.properties, type: Type.Literal(type), data: orVariable(data) },
          closed,
        ),
      ),
      { description: 'An account that flows name by its id' },
    ),
  )

function orVariable<Schema extends object>(schema: Schema): Schema {
  const { pattern, properties = {} } = schema as { pattern?: string; properties?: Record<string, object> }
  const entries = Object.entries(properties).map(([key, one]) => [key, orVariable(one)] as const)
  return {
    ...schema,
    ...(pattern !== undefined && { pattern: `^\\$env:|${pattern}` }),
    ...(entries.length > 0 && { properties: Object.fromEntries(entries) }),
  }
}

/** The shape of what belongs to a type of account; undefined for types that this server has no use for. */
export function credentialSchemaOf(type: string): TObject | undefined {
  return Object.hasOwn(dataSchemas, type) ? dataSchemas[type] : undefined
}

export interface ShapeProblem {
  /** JSON pointer into the value. */
  readonly at: string
  /** Follows the place; shows nothing of what stands there. */
  readonly complaint: string
}

const check = createLazyValidator()
const entryValidator = check(CredentialEntry)

/** Problems of an account, save its data; each place once. */
export function problemsWithEntry(entry: unknown): ShapeProblem[] {
  return problemsWith(entryValidator, entry)
}

/** Problems of the data of an account of a type; undefined for types that this server has no use for. */
export function problemsWithData(type: string, data: object): ShapeProblem[] | undefined {
  const schema = credentialSchemaOf(type)
  if (!schema) return undefined
  const problems = problemsWith(check(schema), data)
  return problems.length > 0 ? problems : problemsWithAddresses(schema, data)
}

/** A pattern does not see every mistake in an address, such as a port that is none. */
function problemsWithAddresses({ properties }: TObject, data: object): ShapeProblem[] {
  return Object.entries(data)
    .filter(([key, value]) => properties[key]?.['pattern'] === BaseUrl.pattern && !URL.canParse(value))
    .map(([key]) => ({ at: `/${key}`, complaint: `must be ${BaseUrl.description}` }))
}

function problemsWith(validator: Validator, value: unknown): ShapeProblem[] {
  if (validator.accepts(value)) return []
  const complaints = new Map<string, string>()
  for (const error of validator.errorsOf(value)) {
    const { at, complaint } = problemOf(error)
    if (!complaints.has(at)) complaints.set(at, complaint)
  }
  return [...complaints].map(([at, complaint]) => ({ at, complaint }))
}

function problemOf({ keyword, instancePath, params, parentSchema }: ErrorObject): ShapeProblem {
  if (keyword === 'required')
    return { at: `${instancePath}/${params['missingProperty']}`, complaint: 'is missing' }
  if (keyword === 'additionalProperties')
    return { at: `${instancePath}/${params['additionalProperty']}`, complaint: 'is not known here' }
  return { at: instancePath, complaint: `must be ${parentSchema?.['description']}` }
}
