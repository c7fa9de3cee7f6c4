import type { CodeJob, CodeResult } from '../engine/model/effect-payloads.ts'

/** Runs code of flows where it can do no harm. It has its own limits on time, memory and depth. */
export interface CodeSandbox {
  /** Never rejects. */
  run(job: CodeJob, terms?: CodeTerms): Promise<CodeResult>
  /** Ends what runs. */
  close(): Promise<void>
}

/** Conditions under which code is run. */
export interface CodeTerms {
  /** Owner of the code; undefined for code that has none. */
  readonly owner?: CodeOwner
  /** Milliseconds that it may run, where that is less than any code may. */
  readonly limitMs?: number | undefined
  /** Serves code that may fetch: it gives the text of a response, or rejects for the code. */
  readonly fetch?: SandboxFetch
}

/** Unit of sharing in the sandbox: a published flow, or a preview. */
export interface CodeOwner {
  readonly kind: 'live' | 'preview'
  readonly id: string
}

export type SandboxFetch = (address: string, init: unknown) => Promise<string>
