import { type Period, readPeriod, writePeriod } from '../../shared/period.ts'

export const views = ['funnel', 'questions', 'compare', 'answers', 'now'] as const
export type View = (typeof views)[number]

export const stages = ['completed', 'left', 'silent', 'handed over'] as const
/** How far a conversation has come: to its end, not there, not even to an answer, or to a person. */
export type Stage = (typeof stages)[number]

/** Which conversations the table shows, within the period. */
export interface Filter {
  readonly text: string
  readonly stage: Stage | undefined
  /** The block at which they ended or fell silent. */
  readonly leftAt: string | undefined
  /** The block at which they wait. */
  readonly waitingAt: string | undefined
  readonly locale: string | undefined
  /** The key of the column that they are sorted by; by their begin unless given. */
  readonly sort: string | undefined
  /** Whether the smallest comes first: of times the earliest. */
  readonly isRising: boolean
}

export const noFilter: Filter = {
  text: '',
  stage: undefined,
  leftAt: undefined,
  waitingAt: undefined,
  locale: undefined,
  sort: undefined,
  isRising: false,
}

/** Everything that the address of the page holds, so that a reload or a link shows the same. */
export interface Place {
  readonly flow: string | undefined
  readonly view: View
  readonly period: Period
  readonly version: string | undefined
  readonly by: string
  readonly filter: Filter
}

export function readPlace(query: URLSearchParams): Place {
  const view = query.get('view')
  return {
    flow: query.get('flow') ?? undefined,
    view: views.find((each) => each === view) ?? 'funnel',
    period: readPeriod(query.get('period')),
    version: query.get('version') ?? undefined,
    by: query.get('by') ?? 'version',
    filter: {
      text: query.get('text') ?? '',
      stage: stages.find((each) => each === query.get('stage')),
      leftAt: query.get('leftAt') ?? undefined,
      waitingAt: query.get('waitingAt') ?? undefined,
      locale: query.get('locale') ?? undefined,
      sort: query.get('sort') ?? undefined,
      isRising: query.get('order') === 'rising',
    },
  }
}

export function writePlace({ flow, view, period, version, by, filter }: Place): string {
  const query = new URLSearchParams({
    ...(flow !== undefined && { flow }),
    view,
    period: writePeriod(period),
    ...(version !== undefined && { version }),
    ...(view === 'compare' && { by }),
    ...(filter.text !== '' && { text: filter.text }),
    ...(filter.stage !== undefined && { stage: filter.stage }),
    ...(filter.leftAt !== undefined && { leftAt: filter.leftAt }),
    ...(filter.waitingAt !== undefined && { waitingAt: filter.waitingAt }),
    ...(filter.locale !== undefined && { locale: filter.locale }),
    ...(filter.sort !== undefined && { sort: filter.sort }),
    ...(filter.isRising && { order: 'rising' }),
  })
  return `?${query}`
}

const ofStage: Readonly<Record<Stage, Readonly<Record<string, string>>>> = {
  completed: { completed: 'true' },
  left: { started: 'true', completed: 'false' },
  silent: { started: 'false' },
  'handed over': { handedOver: 'true' },
}

/** What the service is asked for by a filter (docs/api.md 4.6). */
export function queryOf({
  text,
  stage,
  leftAt,
  waitingAt,
  locale,
}: Filter): Readonly<Record<string, string>> {
  return {
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(stage !== undefined && ofStage[stage]),
    ...(leftAt !== undefined && { leftAt }),
    ...(waitingAt !== undefined && { waitingAt }),
    ...(locale !== undefined && { locale }),
  }
}

/** Whether it lets all conversations through. */
export const isOpen = (filter: Filter) => Object.keys(queryOf(filter)).length === 0
