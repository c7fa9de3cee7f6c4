import { type Envelope, isEventless, versionOf } from './envelope.ts'
import type { Check } from './lazy-validator.ts'
import { checkOfBlock, checkOfEvent, checks } from './part-validators.ts'
import type { ProblemList } from './problems.ts'

/** A value with what it has to pass, and its place in the definition. */
interface Inspected {
  readonly value: unknown
  readonly check: Check
  readonly place: string
}

/** Adds what is wrong with a value to the problems; true when nothing is. */
export function inspect(inspected: Inspected, problems: ProblemList): boolean {
  const isRight = inspected.check.accepts(inspected.value)
  if (!isRight) tellAbout(inspected, problems)
  return isRight
}

function tellAbout({ value, check, place }: Inspected, problems: ProblemList): void {
  if (problems.isFull) problems.count()
  else problems.addErrors(check.errorsOf(value), place)
}

/** Adds what is wrong in a definition, whose envelope is right, to the problems. */
export function inspectParts(envelope: Envelope, problems: ProblemList): void {
  const { groups, events, edges = [], variables = [], settings = {}, theme = {} } = envelope
  inspectGroups(groups, problems)
  if (!isEventless(versionOf(envelope))) inspectEvents(events ?? [], problems)
  inspectEach({ list: edges, checkOf: () => checks.edge, place: '/edges' }, problems)
  inspectEach({ list: variables, checkOf: () => checks.variable, place: '/variables' }, problems)
  inspect({ value: settings, check: checks.settings, place: '/settings' }, problems)
  inspect({ value: theme, check: checks.theme, place: '/theme' }, problems)
}

interface InspectedList {
  readonly list: readonly unknown[]
  readonly checkOf: (item: unknown) => Check
  readonly place: string
}

function inspectEach({ list, checkOf, place }: InspectedList, problems: ProblemList): void {
  list.forEach((value, index) => {
    const check = checkOf(value)
    // Most values are right: their place is not even put together.
    if (!check.accepts(value)) tellAbout({ value, check, place: `${place}/${index}` }, problems)
  })
}

function inspectGroups(groups: readonly unknown[], problems: ProblemList): void {
  groups.forEach((value, index) => {
    const place = `/groups/${index}`
    if (!inspect({ value, check: checks.group, place }, problems)) return
    const { blocks } = value as { blocks: unknown[] }
    inspectEach({ list: blocks, checkOf: checkOfBlock, place: `${place}/blocks` }, problems)
  })
}

/** The first event is the start, and the only one. */
function inspectEvents(events: readonly unknown[], problems: ProblemList): void {
  if (events.length === 0) problems.add('/events', 'must hold a start event')
  inspectEach({ list: events, checkOf: checkOfEvent, place: '/events' }, problems)
  events.forEach((event, index) => {
    const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined
    if (typeof type !== 'string' || (type === 'start') === (index === 0)) return
    problems.add(
      `/events/${index}/type`,
      index === 0 ? 'must be start: the first event is' : 'must not be start: only the first event is',
    )
  })
}
