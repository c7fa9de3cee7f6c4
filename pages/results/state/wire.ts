import type { Theme } from '../../../client/client.ts'
import type { components, operations } from '../../../client/wire-types.js'

type Schemas = components['schemas']

type AnswerOf<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Answer } } }
}
  ? Answer
  : never

export type Analytics = AnswerOf<'readAnalytics'>
export type BlockCounts = Analytics['blocks'][number]
export type Cohort = NonNullable<Analytics['cohorts']>[number]
export type Result = Schemas['ResultBody']
export type ResultPage = AnswerOf<'listResults'>

/** A flow whose results the token reads. */
export interface ListedFlow {
  readonly publicId: string
  readonly name: string
}

/** Answer of `/results/flows`. */
export interface FlowList {
  readonly flows: readonly ListedFlow[]
  /** Whether the token may erase results and lead conversations. */
  readonly mayChange: boolean
  /** Absent where results are kept until they are erased. */
  readonly keptSeconds?: number
}

export interface OutlineItem {
  readonly id: string
  readonly words: string
  /** As answers have it. */
  readonly value: string
}

export interface OutlineBlock {
  readonly id: string
  readonly type: string
  readonly group: string
  readonly kind: 'question' | 'message' | 'logic'
  readonly words: string
  readonly variable?: string
  readonly items?: readonly OutlineItem[]
}

/** Answer of `/results/flows/<public id>`: the published flow in words. */
export interface FlowOutline {
  readonly publicId: string
  readonly name: string
  readonly version: string
  readonly locales: readonly string[]
  readonly blocks: readonly OutlineBlock[]
  /** Those that hold no answers. */
  readonly variables: readonly string[]
  readonly theme: Theme
}
