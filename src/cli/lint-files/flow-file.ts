import type { Flow } from '../../../schemas/flow.ts'
import type { Program } from '../../engine/model/program.ts'
import type { FlowFinding } from '../../tooling/lint/finding.ts'
import type { Range } from '../../tooling/lint/model/source-ranges.ts'
import type { PositionedText } from './text-positions.ts'

/** A finding with its place in the text of its file. */
export interface FileFinding extends FlowFinding {
  readonly range: Range
}

/** A file with everything that was found in it, in the order of the text. */
export interface CheckedFile {
  /** As it was named, with slashes. */
  readonly path: string
  readonly text: string
  readonly positions: PositionedText
  /** Whether a start would take the flow. */
  readonly runnable: boolean
  readonly findings: readonly FileFinding[]
}

/** A file as far as it can be read. */
export interface LintSource extends Pick<CheckedFile, 'path' | 'text' | 'positions'> {
  readonly definition: unknown
  /** Undefined for a file that no start takes. */
  readonly read: { readonly flow: Flow; readonly program: Program } | undefined
  /** Public id of the flow in the file. */
  readonly publicId: string
  /** Reasons for which the file is not read. */
  readonly refusals: readonly FileFinding[]
}
