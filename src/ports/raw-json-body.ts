import type { Program } from '../engine/model/program.ts'

/** A body of JSON as it came in. */
export interface RawJsonBody {
  /** Made of its bytes: what has the same name is the same, byte by byte. */
  readonly name: string
  /** Put together when it is asked for. */
  readonly text: string
  /** The draft in it, where that is ready to run: the body has not been read again. */
  readonly draft: CachedDraft | undefined
}

/** A draft that came before, with what came along. */
export interface CachedDraft {
  readonly program: Program
  /** All of the body save for the flow. */
  readonly body: object
}
