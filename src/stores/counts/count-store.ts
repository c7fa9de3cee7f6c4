import type { CountKind } from './turn-facts.ts'

/** Asks for the counts of a flow within some hours. */
export interface CountRequest {
  readonly flowId: string
  /** Hours since 1970: then or later. */
  readonly from: number
  /** Before. */
  readonly until: number
  /** Counts before this hour are settled: whoever was asked then has gone. */
  readonly settled: number
  /** The hash of a definition; absent for all. */
  readonly version?: string | undefined
}

/** Counts of a version, over all hours that were asked for. */
export interface CountSum {
  readonly version: string
  readonly kind: CountKind
  readonly name: string
  readonly count: number
  /** Of them those that are settled. */
  readonly settled: number
}

/** A count by its hour, for who takes all of them along. */
export interface CountRow extends Omit<CountSum, 'settled'> {
  /** Hours since 1970. */
  readonly hour: number
}

/** Asks for the rows behind one; for the first ones behind none. */
export interface CountPageRequest extends Omit<CountRequest, 'settled'> {
  readonly after: Omit<CountRow, 'count'> | undefined
  readonly limit: number
}

/** The places of a version that paths go through, in the order of their bits. */
export interface VersionPlaces {
  readonly version: string
  readonly places: readonly string[]
}

/**
 * Counts of flows, from what commits have left (`TurnFacts`): each fact is counted once, whatever ends when, and erasing
 * conversations and results leaves counts as they are. Old counts go with their time, or where there is no room for them.
 * `test/stores/contracts/count-store.ts` is the definition in full.
 */
export interface CountStore {
  /** Makes the places of a version known, before a turn of it leaves facts. */
  describe(flowId: string, described: VersionPlaces): Promise<void>
  /** Counts a step of the facts that commits have left since; true where there may be more. */
  fold(): Promise<boolean>
  /** The hour of the first turn that is not counted yet, in hours since 1970; undefined where all are. */
  pendingSince(): Promise<number | undefined>
  /** As of the last fold. */
  sum(request: CountRequest): Promise<readonly CountSum[]>
  /** In the order of hour, version, kind and name. */
  page(request: CountPageRequest): Promise<readonly CountRow[]>
  /** Of all versions that were counted. */
  places(flowId: string): Promise<readonly VersionPlaces[]>
}

/** Parameters of the statement that sums, in the order in which back ends name them. */
export const valuesOfSum = ({ flowId, from, until, version, settled }: CountRequest) => [
  flowId,
  from,
  until,
  version ?? null,
  settled,
]

/** Parameters of the statement for a page, likewise: no row stands before the first that they are behind. */
export const valuesOfPage = ({ flowId, from, until, version, after, limit }: CountPageRequest) => [
  flowId,
  from,
  until,
  version ?? null,
  after?.hour ?? -1,
  after?.version ?? '',
  after?.kind ?? '',
  after?.name ?? '',
  limit,
]

/** For how long counts are kept. */
export const countsMs = 800 * 24 * 60 * 60 * 1000
