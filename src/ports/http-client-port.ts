import type { Readable } from 'node:stream'
import type { OutgoingRequest, RequestOutcome } from '../engine/model/effect-payloads.ts'

/** Sends requests of flows to where flows may reach. */
export interface HttpClient {
  /** Never rejects. An aborted request has failed. */
  send(request: OutgoingRequest, options?: OutgoingOptions): Promise<RequestOutcome>
  /** As `send`, for a response that is read piece by piece. Rejects with an error for people. */
  stream(request: OutgoingRequest, options?: OutgoingOptions): Promise<StreamedResponse>
  close(): Promise<void>
}

/** The code of a request that was not to begin any more. */
export const notBegun = 'REQUEST_NOT_BEGUN'

/** An error of a request to where only the operator opens the way, by `OUTBOUND_ALLOW`. */
export interface ClosedDestination {
  readonly isClosedDestination: boolean
}

/** Whether a request has failed for that. */
export const isClosedDestination = (error: unknown): boolean =>
  (error as Partial<ClosedDestination> | undefined)?.isClosedDestination === true

export interface OutgoingOptions {
  readonly signal?: AbortSignal | undefined
  /** The address comes from the operator, and not from a flow. */
  readonly isTrusted?: boolean
  /** A redirect is the answer, and is not followed. */
  readonly isDirect?: boolean
  /** Largest response, of a stream; 5 MiB unless given. */
  readonly maxBytes?: number
  /**
   * Given where a request may be sent again though it changes something: when a server was too busy, failed or could not
   * be reached. Asked before each time.
   */
  readonly mayRepeat?: (() => boolean) | undefined
  /**
   * Asked when the connection stands, right before the first byte of a request with a body, of a stream: connecting takes long enough for
   * things to have changed. What may not begin fails with the code `notBegun`.
   */
  readonly mayBegin?: (() => boolean) | undefined
  /** Body in place of that of the request, of a stream. */
  readonly content?: OutgoingContent | undefined
}

/** A body that is read as it is sent, anew for each try. */
export interface OutgoingContent {
  readonly bytes: number
  open(): Readable
}

export interface StreamedResponse {
  readonly status: number
  /** Value of the header `Content-Type`. */
  readonly contentType?: string | undefined
  /** Bytes that it says it has, compressed as they come; undefined where it does not say. */
  readonly contentLength?: number | undefined
  /** Milliseconds after which the server wants to be asked again. */
  readonly retryAfterMs?: number | undefined
  readonly body: AsyncIterable<Uint8Array>
}
