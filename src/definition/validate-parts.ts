import { type Envelope, isPreV6, versionOf } from './envelope.ts'
import type { Validator } from './lazy-validator.ts'
import { blockValidator, eventValidator, partValidators } from './part-validators.ts'
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

/** Adds the errors of a definition, whose envelope is valid, to the problems; true when there are none. */
export function validateParts(envelope: Envelope, problems: ProblemList): boolean {
  const { groups, events, edges = [], variables = [], settings = {}, theme = {} } = envelope
  inspectGroups(groups, problems)
  if (!isPreV6(versionOf(envelope))) inspectEvents(events ?? [], problems)
  inspectEach({ list: edges, checkOf: () => partValidators.edge, place: '/edges' }, problems)
  inspectEach({ list: variables, checkOf: () => partValidators.variable, place: '/variables' }, problems)
  validateDefinition({ value: settings, check: partValidators.settings, place: '/settings' }, problems)
  validateDefinition({ value: theme, check: partValidators.theme, place: '/theme' }, problems)
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

function inspectGroups(groups: readonly unknown[], problems: ProblemList): void {
  groups.forEach((value, index) => {
    const place = `/groups/${index}`
    if (!validateDefinition({ value, check: partValidators.group, place }, problems)) return
    const { blocks } = value as { blocks: unknown[] }
    inspectEach({ list: blocks, checkOf: blockValidator, place: `${place}/blocks` }, problems)
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
