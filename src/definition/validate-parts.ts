import type { TSchema } from '@sinclair/typebox'
import { blockSchemas } from '../../schemas/blocks/index.ts'
import { blockBase } from '../../schemas/common.ts'
import { Edge, eventSchemas, groupBase, Localizations, Variable } from '../../schemas/flow.ts'
import { Settings } from '../../schemas/settings.ts'
import { tagsOf } from '../../schemas/tagged-union.ts'
import { Theme } from '../../schemas/theme.ts'
import { Type } from '../../schemas/type.ts'
import { type Envelope, envelopeSchemas, isPreV6, versionOf } from './envelope.ts'
import { createLazyValidator, type Validator } from './lazy-validator.ts'
import type { ProblemList } from './problems.ts'

/** A value with its validator, and its place in the definition. */
interface Inspection {
  readonly value: unknown
  readonly check: Validator
  readonly place: string
}

/** Adds the errors of a value to the problems; true when there are none. */
export function validateDefinition(inspected: Inspection, problems: ProblemList): boolean {
  const isRight = inspected.check.accepts(inspected.value)
  if (!isRight) addErrors(inspected, problems)
  return isRight
}

function addErrors({ value, check, place }: Inspection, problems: ProblemList): void {
  if (problems.isFull) problems.count()
  else problems.addErrors(check.errorsOf(value), place)
}

/** Block types beside the built-in ones, with the schemas of their blocks. */
export interface KnownBlocks {
  get(type: string): { readonly schema?: TSchema | undefined } | undefined
}

/** Adds the errors of a definition, whose envelope is valid, to the problems; true when there are none. */
export function validateParts(envelope: Envelope, problems: ProblemList, blocks?: KnownBlocks): boolean {
  const { groups, events, edges = [], variables = [], settings = {}, theme = {} } = envelope
  inspectGroups(groups, problems, blocks)
  if (!isPreV6(versionOf(envelope))) inspectEvents(events ?? [], problems)
  inspectEach({ list: edges, checkOf: () => partValidators.edge, place: '/edges' }, problems)
  inspectEach({ list: variables, checkOf: () => partValidators.variable, place: '/variables' }, problems)
  validateDefinition({ value: settings, check: partValidators.settings, place: '/settings' }, problems)
  validateDefinition({ value: theme, check: partValidators.theme, place: '/theme' }, problems)
  const { localizations } = envelope
  if (localizations) {
    validateDefinition(
      { value: localizations, check: partValidators.localizations, place: '/localizations' },
      problems,
    )
  }
  return problems.isEmpty
}

interface InspectedList {
  readonly list: readonly unknown[]
  readonly checkOf: (item: unknown) => Validator
  readonly place: string
}

function inspectEach({ list, checkOf, place }: InspectedList, problems: ProblemList): void {
  list.forEach((value, index) => {
    const check = checkOf(value)
    // Most values are right: their place is not even put together.
    if (!check.accepts(value)) addErrors({ value, check, place: `${place}/${index}` }, problems)
  })
}

function inspectGroups(
  groups: readonly unknown[],
  problems: ProblemList,
  known: KnownBlocks | undefined,
): void {
  const checkOf = (block: unknown) => knownValidator(block, known) ?? blockValidator(block)
  groups.forEach((value, index) => {
    const place = `/groups/${index}`
    if (!validateDefinition({ value, check: partValidators.group, place }, problems)) return
    const { blocks } = value as { blocks: unknown[] }
    inspectEach({ list: blocks, checkOf, place: `${place}/blocks` }, problems)
  })
}

/** The first event is the start, and the only one. */
function inspectEvents(events: readonly unknown[], problems: ProblemList): void {
  if (events.length === 0) problems.add('/events', 'must hold a start event')
  inspectEach({ list: events, checkOf: eventValidator, place: '/events' }, problems)
  events.forEach((event, index) => {
    const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined
    if (typeof type !== 'string' || (type === 'start') === (index === 0)) return
    problems.add(
      `/events/${index}/type`,
      index === 0 ? 'must be start: the first event is' : 'must not be start: only the first event is',
    )
  })
}

const check = createLazyValidator()

const validators = new WeakMap<TSchema, Validator>()

/** One check for a schema, as it is compiled with its first use. */
function validatorOf(schema: TSchema): Validator {
  const made = validators.get(schema) ?? check(schema)
  validators.set(schema, made)
  return made
}

/** The checks of the parts of a definition, save blocks and events, which go by type. */
export const partValidators = {
  /** A group as such; its blocks are checked one by one. */
  group: check(Type.Object({ ...groupBase, blocks: Type.Array(Type.Unknown()) })),
  edge: check(Edge),
  variable: check(Variable),
  settings: check(Settings),
  theme: check(Theme),
  localizations: check(Localizations),
} as const satisfies Record<string, Validator>

const envelopes = new Map<unknown, Validator>(
  Object.entries(envelopeSchemas).map(([version, schema]) => [version, check(schema)]),
)
const envelopeOfNoVersion = check(envelopeSchemas['5'])

/** The check for the outermost level of a definition. One of an unknown version needs what all versions need. */
export function envelopeValidator(raw: unknown): Validator {
  const version = typeof raw === 'object' && raw !== null ? versionOf(raw) : undefined
  return envelopes.get(version) ?? envelopeOfNoVersion
}

/** The check for a block. One of an unknown type only has to look like a block. */
const blockValidator = byType(blockSchemas)

/** The check for a block of a type that the service knows; undefined for all others. */
function knownValidator(block: unknown, known: KnownBlocks | undefined): Validator | undefined {
  const schema = hasType(block) ? known?.get(block.type as string)?.schema : undefined
  return schema && validatorOf(schema)
}

/** The check for an event. One of an unknown type is never triggered, and only has to look like an event. */
const eventValidator = byType(eventSchemas)

/**
 * One small validator a type, found in a map: a single one for all types takes six times as long, and says worse
 * what is wrong.
 */
function byType(schemas: readonly TSchema[]): (value: unknown) => Validator {
  const unknown = check(Type.Object({ ...blockBase, type: Type.String() }))
  const known = new Map<unknown, Validator>()
  for (const schema of schemas) {
    const ofSchema = validatorOf(schema)
    for (const tag of tagsOf(schema)) known.set(tag, ofSchema)
  }
  return (value) => (hasType(value) && known.get(value.type)) || unknown
}

function hasType(value: unknown): value is { type: unknown } {
  return typeof value === 'object' && value !== null && 'type' in value
}
