import type { Workbench } from './workbench.ts'

/** Properties of components that show the state of the workbench. */
export interface BenchProps {
  readonly bench: Workbench
}
