import type {
  Audit,
  FlowPublication,
  FlowVersions,
  PublishedFlowBody,
} from '../../schemas/flow-publication.ts'
import type { FlowState } from '../../schemas/flow-state.ts'
import type { FlowAction } from '../stores/flow-table.ts'

/** Operations on published flows. */
export interface Publication {
  /** State of every flow. */
  states(): readonly FlowState[]
  /** Resolves once the findings of all flows are among them: of many that come at the start, they are found by the first call. */
  inspected(): Promise<void>
  /** The text of the file that a flow comes from, as its author writes it now; undefined where that is the definition. */
  written(publicId: string): Promise<string | undefined>
  /** Throws NOT_FOUND for a flow that is not published. */
  get(request: FlowRequest): Promise<PublishedFlowBody>
  /** Throws NOT_FOUND for a flow that is not published. */
  versions(request: FlowRequest): Promise<FlowVersions>
  /** Throws BAD_REQUEST for what is no definition and, unless it is forced, for one with errors. */
  publish(request: PublishRequest): Promise<FlowPublication>
  /**
   * Goes back to a version, sets a flag, or deletes the flow, of which nothing is left then. Throws NOT_FOUND for a
   * flow or a version that is not there.
   */
  change(request: ChangeRequest): Promise<FlowPublication | undefined>
  /** The latest rows before one. */
  audit(page: { readonly before?: number; readonly limit?: number }): Promise<Audit>
}

export interface FlowRequest {
  readonly publicId: string
  /** Learns the version that is served, also of a refusal for its sake. */
  onVersion(version: number): void
}

/**
 * A change throws CONFLICT for the flow of a file, and PRECONDITION_FAILED for another version than one of those that are
 * expected.
 */
export interface AnyChangeRequest extends FlowRequest {
  /** The name of the operator's token. */
  readonly actor: string
  /** 0 stands for no flow; undefined for whatever there is. */
  readonly expected: readonly number[] | undefined
}

export interface PublishRequest extends AnyChangeRequest {
  readonly definition: unknown
  readonly isForced: boolean
}

export interface ChangeRequest extends AnyChangeRequest {
  readonly action: Exclude<FlowAction, { readonly kind: 'publish' }>
}
