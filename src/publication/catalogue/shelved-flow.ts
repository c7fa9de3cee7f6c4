import type { FindingSummary } from '../../../schemas/flow-state.ts'
import type { Problem } from '../../lib/errors.ts'
import type { CatalogueEntry } from '../../stores/flow-table.ts'
import type { PublicationFacts, PublishedFlow } from '../../stores/published-flows.ts'
import type { FlowHead } from './checked-flows.ts'
import type { Locate } from './locate.ts'

/** A flow as its source has it now. */
export interface OfferedFlow {
  /** Unique within the source, whose flows are in the order of their keys. */
  readonly key: string
  /** Names it in the log. */
  readonly label:
    | { readonly file: string }
    | Pick<CatalogueEntry, 'publicId' | 'version' | 'hash' | 'publishedBy'>
  /** Differs where the text does; undefined where that can't be told. */
  readonly hash: string | undefined
  /** Told that the text will be asked for, where making it takes time. */
  begin?(): void
  /** Undefined for a flow that has gone meanwhile. Rejects where the text can't be read. */
  text(): Promise<string | undefined>
  readonly locate?: Locate
  /** The text that its author writes, as it is now; left out where that is the definition. */
  readonly written?: () => Promise<string | undefined>
  /** Facts of the publication; without a definition those that the source knows. */
  factsOf(flow: FlowHead | undefined): PublicationFacts | undefined
}

/** A place of a source, with the last flow that was good there. */
export interface ShelvedFlow extends Pick<OfferedFlow, 'label' | 'locate' | 'written'> {
  readonly flow?: PublishedFlow | undefined
  /** That of the flow. */
  readonly head?: FlowHead | undefined
  /** Hash of the text that the flow was made of. */
  readonly hash?: string | undefined
  readonly facts: PublicationFacts | undefined
  /** Undefined until the flow was inspected. */
  readonly findings?: readonly FindingSummary[] | undefined
  /** Reason why what the source has now is not served. Without a hash the same text is tried again. */
  readonly failure?: Failure | undefined
}

interface Failure extends Pick<OfferedFlow, 'hash'> {
  readonly problems: readonly Problem[]
  readonly isReported: boolean
}
