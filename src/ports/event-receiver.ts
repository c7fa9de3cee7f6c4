/** Hands events to a receiver, from now on until they end or fail. */
export type Events<Event> = (receiver: {
  receive(event: Event): void
  end(): void
  fail(error: unknown): void
}) => void
