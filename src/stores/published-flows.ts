import type { Flow } from '../../schemas/flow.ts'
import type { Program } from '../engine/model/program.ts'

/** A flow that visitors can start, compiled. Immutable: a new publication is a new object. */
export interface PublishedFlow {
  /** The id that visitors start it by. */
  readonly publicId: string
  /** Name of the file that it comes from; absent for one that was published over HTTP. */
  readonly file?: string
  readonly flow: Flow
  readonly program: Program
  /** ISO 8601 in UTC, with milliseconds: clients compare it, character by character, with what they have stored. */
  readonly publishedAt: string
  /** Starts are refused with the flow's own words. */
  readonly isClosed: boolean
  /** The flow counts as gone. Lookups return it all the same; the caller decides. */
  readonly isArchived: boolean
}

export type PublicationFacts = Pick<PublishedFlow, 'publicId' | 'publishedAt' | 'isClosed' | 'isArchived'>

/** The flows that visitors can start. Each lookup returns the present state: flows come, change and go meanwhile. */
export interface PublishedFlows {
  byPublicId(publicId: string): Promise<PublishedFlow | undefined>
  /** The flow with this id in its definition, else the one with this public id. */
  byFlowId(flowId: string): Promise<PublishedFlow | undefined>
  /** Every flow that can be found, in the order that decides between flows with one id. */
  list(): Promise<readonly PublishedFlow[]>
  /** Stops following changes. Nothing is published or logged afterwards. */
  close(): Promise<void>
}
