import type { Range } from '../../lib/text-lines.ts'
import type { FlowFinding } from '../../tooling/lint/finding.ts'
import type { FlowSource } from '../input/flow-source.ts'

/** A finding with its place in the text of its file. */
export interface FileFinding extends FlowFinding {
  readonly range: Range
}

/** A file with everything that was found in it, in the order of the text. */
export interface CheckedFile extends Pick<FlowSource, 'path' | 'text' | 'rangeOf'> {
  /** Whether a start would take the flow. */
  readonly runnable: boolean
  readonly findings: readonly FileFinding[]
}
