import type { Flow } from '../../schemas/flow.ts'
import { invalidInput } from '../lib/errors.ts'
import { type Envelope, isPreV5, isPreV6, versionOf, withTextVersion } from './envelope.ts'
import { ProblemList } from './problems.ts'
import { findLimitViolation, type LimitViolation } from './structural-limits.ts'
import {
  fillMissingLists,
  partsWithoutNulls,
  renameLinks,
  startOfFirstBlock,
} from './upgrade-old-versions.ts'
import { envelopeValidator, type KnownBlocks, validateDefinition, validateParts } from './validate-parts.ts'

/**
 * Ten times what the largest flows hold, as each of them takes time. Nothing that an author makes comes near so many
 * levels; what recurses over a definition relies on them.
 */
export const definitionLimits = Object.freeze({ levels: 128, values: 250_000 })

/**
 * Reads a definition of any version that can be run (docs/behaviour/walk.md, "Old versions"). What comes back shares its
 * parts with what was sent, unless those are right without nulls alone, in the same places: a pointer into the one is a
 * pointer into the other.
 *
 * Throws BAD_REQUEST with a problem for each place that is wrong, and nothing else. Never changes what was sent. `blocks` are the types that
 * this service knows; without them, blocks of own types only have to look like blocks.
 */
export function readDefinition(sent: unknown, blocks?: KnownBlocks): Flow {
  const problems = new ProblemList()
  const excess = findLimitViolation(sent, definitionLimits)
  const raw = withTextVersion(sent)
  if (excess) reportExcess(excess, problems)
  else validateDefinition({ value: raw, check: envelopeValidator(raw), place: '' }, problems)
  refuseIfAny(problems)
  const envelope = isPreV5(versionOf(raw as Envelope)) ? fillMissingLists(raw as Envelope) : (raw as Envelope)
  return toFlow(withRightParts(renameLinks(envelope), blocks))
}

/** The envelope as it is when its parts are right, else without nulls when they are right then. */
function withRightParts(envelope: Envelope, blocks: KnownBlocks | undefined): Envelope {
  if (validateParts(envelope, new ProblemList(), blocks)) return envelope
  const bare = partsWithoutNulls(envelope)
  const problems = new ProblemList()
  validateParts(bare, problems, blocks)
  refuseIfAny(problems)
  return bare
}

function reportExcess(excess: LimitViolation, problems: ProblemList): void {
  const { levels, values } = definitionLimits
  if (excess.of === 'levels') problems.add(excess.pointer, `must not lie deeper than ${levels} levels`)
  else problems.add('', `must not hold more than ${values} values`)
}

function refuseIfAny(problems: ProblemList): void {
  if (problems.isEmpty) return
  throw invalidInput(problems.toArray())
}

/** The parts have been checked by now, which the compiler can't know. */
function toFlow(envelope: Envelope): Flow {
  const version = versionOf(envelope)
  const flow = {
    version,
    // The public copy of an export has an id of its own, and names its flow beside: links lead to that.
    id: typeof envelope.typebotId === 'string' ? envelope.typebotId : envelope.id,
    groups: envelope.groups,
    events: isPreV6(version) ? [startOfFirstBlock(envelope.groups as Flow['groups'])] : envelope.events,
    edges: envelope.edges ?? [],
    variables: envelope.variables ?? [],
    settings: envelope.settings ?? {},
    theme: envelope.theme ?? {},
    ...(envelope.localizations && { localizations: envelope.localizations }),
    ...publicationOf(envelope),
  }
  return flow as Flow
}

/** The parts that matter to a publication. Exports hold null for unset fields, and anything in labels. */
function publicationOf(envelope: Envelope): Partial<Flow> {
  const { isClosed, isArchived } = envelope
  return {
    ...(typeof isClosed === 'boolean' && { isClosed }),
    ...(typeof isArchived === 'boolean' && { isArchived }),
    ...labelOf(envelope, 'name'),
    ...labelOf(envelope, 'publicId'),
    ...labelOf(envelope, 'updatedAt'),
    ...labelOf(envelope, 'workspaceId'),
  }
}

function labelOf(envelope: Envelope, key: 'name' | 'publicId' | 'updatedAt' | 'workspaceId'): Partial<Flow> {
  const label = envelope[key]
  return typeof label === 'string' ? { [key]: label } : {}
}
