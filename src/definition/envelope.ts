import type { Static, TProperties } from '@sinclair/typebox'
import { Id } from '../../schemas/common.ts'
import { type FormatVersion, formatVersions } from '../../schemas/flow.ts'
import { Type } from '../../schemas/type.ts'

const list = Type.Array(Type.Unknown())
const listOrNull = Type.Unsafe<unknown[] | null>({ type: ['array', 'null'] })
const flagOrNull = Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })
const objectOrNull = Type.Unsafe<object | null>({ type: ['object', 'null'] })
const anObject = Type.Object({})

const ownFields = {
  version: Type.Optional(Type.Unsafe<FormatVersion | null>({ enum: [...formatVersions, null] })),
  id: Id,
  typebotId: Type.Optional(Type.Unknown()),
  edges: Type.Optional(list),
  variables: Type.Optional(list),
  settings: Type.Optional(anObject),
  theme: Type.Optional(anObject),
  localizations: Type.Optional(objectOrNull),
  isClosed: Type.Optional(flagOrNull),
  isArchived: Type.Optional(flagOrNull),
  name: Type.Optional(Type.Unknown()),
  publicId: Type.Optional(Type.Unknown()),
  updatedAt: Type.Optional(Type.Unknown()),
  workspaceId: Type.Optional(Type.Unknown()),
} satisfies TProperties

const Loose = Type.Object({
  ...ownFields,
  groups: Type.Optional(listOrNull),
  edges: Type.Optional(listOrNull),
})
const Eventless = Type.Object({ ...ownFields, groups: list })
const Current = Type.Object({ ...ownFields, groups: list, events: list })

/** A definition whose own fields are right; what its lists hold is not known yet. */
export type Envelope = Static<typeof Eventless> & { readonly events?: unknown[] | null }

/** An envelope of versions 3 and 4, in which lists could be missing. */
export type LooseEnvelope = Static<typeof Loose>

/** The schema of the outermost level of a definition, by version. */
export const envelopeSchemas = {
  '3': Loose,
  '4': Loose,
  '5': Eventless,
  '6': Current,
  '6.1': Current,
} as const

/** Takes a version that is written as a number, as editors of JSON by hand do, for its text. */
export function withTextVersion(raw: unknown): unknown {
  const isNumbered =
    typeof raw === 'object' && raw !== null && 'version' in raw && typeof raw.version === 'number'
  return isNumbered ? { ...raw, version: String(raw.version) } : raw
}

/** The version that a definition states, or else looks like. */
export function versionOf({ version, events }: { version?: unknown; events?: unknown }): FormatVersion {
  const likely = Array.isArray(events) && events.length > 0 ? '6' : '3'
  return (version as FormatVersion | null | undefined) ?? likely
}

/** Whether lists that are missing are filled in, and edges that lead nowhere are left out. */
export function isPreV5(version: FormatVersion): boolean {
  return version === '3' || version === '4'
}

/** Whether a flow starts at the first block of its first group, and has no events. */
export function isPreV6(version: FormatVersion): boolean {
  return isPreV5(version) || version === '5'
}
