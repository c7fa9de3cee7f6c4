import type { CompletionRequest } from '../../../../engine/model/effect-payloads.ts'

/** How the servers of a maker are asked, and how they answer. */
export interface ModelDialect {
  /** Follows the address of the account. */
  readonly path: string
  headersOf(apiKey: string): readonly (readonly [name: string, value: string])[]
  /** The body of a request, from one in the common format. */
  write(completion: CompletionRequest, isStreamed: boolean): object
  /** An answer, as the common format has it. */
  read(body: unknown): unknown
  createAccumulator(): AnswerAccumulator
  /** Error that a server sends instead of going on with a stream; undefined when it goes on. */
  errorIn(chunk: unknown): unknown
}

/** An answer as it comes in, chunk by chunk. */
export interface AnswerAccumulator {
  /** Takes in a chunk; gives the text that it adds. */
  add(chunk: unknown): string
  /** Why the model stopped; undefined while it may go on. */
  readonly finishReason: string | undefined
  /** As the body of an answer in the common format that was not streamed. */
  readonly body: object
  /** As the body of an answer that ends here, since no more of it is wanted. */
  readonly cutOff: object
}
