import type { Program } from '../engine/model/program.ts'

/** A body of JSON as it came in. */
export interface RawJsonBody {
  /** Name derived from the bytes: bodies of one name are equal, byte by byte. */
  readonly name: string
  /** JSON, assembled at its first use. */
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
