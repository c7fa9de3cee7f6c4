import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value, ValueErrorType } from '@sinclair/typebox/value'
import { BaseUrl, closed, Flag, Text, Word } from './account-fields.ts'
import { modelAddresses } from './model-addresses.ts'
import { vendors } from './vendors/vendors.ts'

const Id = Type.String({ minLength: 1, expects: 'text, not empty' })

/** An account as its owner writes it, whatever it is for. */
export const CredentialEntry = Type.Object(
  {
    id: Id,
    type: Id,
    data: Type.Object({}, { expects: 'an object' }),
    workspaceId: Type.Optional(Id),
    allowedFlows: Type.Optional(Type.Array(Id, { expects: 'a list' })),
    allowPreview: Type.Optional(Flag),
  },
  closed,
)
export type CredentialEntry = Static<typeof CredentialEntry>

export const SmtpData = Type.Object(
  {
    host: Type.String({ pattern: '^[^\\s/@]+$', expects: 'the name or address of a server' }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, expects: 'a whole number from 1 to 65535' }),
    username: Type.Optional(Text),
    password: Type.Optional(Text),
    isTlsEnabled: Type.Optional(Flag),
    ignoreTls: Type.Optional(Flag),
    from: Type.Object(
      {
        email: Type.String({ pattern: '^[^\\s<>(),;:@"\\\\]+@[^\\s<>(),;:@"\\\\]+$', expects: 'an address' }),
        name: Type.Optional(Text),
      },
      closed,
    ),
  },
  closed,
)
export type SmtpData = Static<typeof SmtpData>

export const ModelData = Type.Object({ apiKey: Word, baseUrl: Type.Optional(BaseUrl) }, closed)
export type ModelData = Static<typeof ModelData>

/** Of a model that has no address by default. */
const AddressedModelData = Type.Object({ apiKey: Word, baseUrl: BaseUrl }, closed)

/** The shape of what belongs to a type of account; undefined for types that this server has no use for. */
export function credentialSchemaOf(type: string): TSchema | undefined {
  if (type === 'smtp') return SmtpData
  if (!modelAddresses.has(type)) return vendors.get(type)?.schema
  return modelAddresses.get(type) === undefined ? AddressedModelData : ModelData
}

export interface ShapeProblem {
  /** JSON pointer into the value. */
  readonly at: string
  /** Follows the place; shows nothing of what stands there. */
  readonly complaint: string
}

/** What is wrong with a value, each place once. */
export function problemsWith(schema: TSchema, value: unknown): ShapeProblem[] {
  const complaints = new Map<string, string>()
  for (const { path, type, schema: wanted } of Value.Errors(schema, value)) {
    if (!complaints.has(path)) complaints.set(path, complaintOf(type, wanted))
  }
  return [...complaints].map(([at, complaint]) => ({ at, complaint }))
}

function complaintOf(type: ValueErrorType, wanted: TSchema): string {
  if (type === ValueErrorType.ObjectRequiredProperty) return 'is missing'
  if (type === ValueErrorType.ObjectAdditionalProperties) return 'is not known here'
  return `must be ${wanted['expects']}`
}
