/** Reports to a tracing system what happens. No method throws or waits. */
export interface Spans {
  /** `traceparent` names the span of the caller, as the header of that name does. */
  begin(facts: SpanFacts, traceparent?: string): OpenSpan
  /** Whether spans hold what is said to models and by them. */
  readonly capturesMessages: boolean
  /** Hosts, in lower case, that get the trace context with each call. */
  readonly propagatesTo: ReadonlySet<string>
}

/** Something that has begun. */
export interface OpenSpan {
  /** Value of the header `traceparent`. */
  readonly traceparent: string
  /** Begins a part of it. */
  child(facts: SpanFacts): OpenSpan
  /** Notes something that happened in it. */
  event(name: string, attributes: SpanAttributes): void
  /**
   * Ends it, at a moment of the clock that only ever grows, in milliseconds, or now. An `error.type` among the attributes
   * says that it failed.
   */
  end(attributes: SpanAttributes, at?: number): void
}

export interface SpanFacts {
  readonly name: string
  /** Server: a request to this service. Client: a call to another system. */
  readonly kind: 'server' | 'client' | 'internal'
  readonly attributes: SpanAttributes
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[]>>
