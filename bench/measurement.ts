import type { Build } from './support/service.ts'

/** What measurements are taken with. */
export interface Circumstances {
  /** The Node that servers run on. */
  readonly node: string
  /** The build that is measured, default the one of this folder. */
  readonly build?: Build | undefined
  /** Whether the service answers questions about itself. */
  readonly isProbed?: boolean | undefined
}

/** Figures by what they are of, and by what they say. */
export type Figures = Readonly<Record<string, Readonly<Record<string, number | string>>>>

/** Something that is measured by itself. */
export interface Measurement {
  /** Begins with the group whose results it stands among, and a colon. */
  readonly name: string
  measure(circumstances: Circumstances): Promise<Figures>
}
