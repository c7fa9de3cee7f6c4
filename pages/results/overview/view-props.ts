import type { BoardProps } from '../state/board.ts'
import type { FlowOutline } from '../state/wire.ts'

export interface ViewProps extends BoardProps {
  readonly outline: FlowOutline
}
