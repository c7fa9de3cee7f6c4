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
  /** A choice, and the question that it answers. */
  readonly answer: string | undefined
  readonly answeredAt: string | undefined
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
  answer: undefined,
  answeredAt: undefined,
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
      answer: query.get('answer') ?? undefined,
      answeredAt: query.get('answeredAt') ?? undefined,
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
    ...(filter.answer !== undefined && { answer: filter.answer }),
    ...(filter.answeredAt !== undefined && { answeredAt: filter.answeredAt }),
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

/** What the service is asked for by a filter (docs/api.md 4.6): by those parts that the view lets somebody choose. */
export function queryOf(filter: Filter, view: View): Readonly<Record<string, string>> {
  const { text, stage, leftAt, waitingAt, answer, answeredAt, locale } = filter
  const isLive = view === 'now'
  return {
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(!isLive && stage !== undefined && ofStage[stage]),
    ...(!isLive && leftAt !== undefined && { leftAt }),
    ...(isLive && waitingAt !== undefined && { waitingAt }),
    ...(answer !== undefined && answeredAt !== undefined && { answer, answeredAt }),
    ...(locale !== undefined && { locale }),
  }
}

/** Whether a view shows all conversations by it. */
export const isOpen = ({ filter, view }: Place) => Object.keys(queryOf(filter, view)).length === 0
