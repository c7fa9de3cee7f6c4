import type { Delivery } from '../stores/outgoing/outbox-store.ts'

/** A delivery as an answer shows it: times as text, and nothing that is not known. */
export function describeDelivery({ createdAt, dueAt, settledAt, error, status, ...rest }: Delivery) {
  return {
    ...rest,
    createdAt: momentOf(createdAt),
    ...(status !== null && { status }),
    ...(dueAt !== null && { dueAt: momentOf(dueAt) }),
    ...(settledAt !== null && { settledAt: momentOf(settledAt) }),
    ...(error !== null && { error }),
  }
}

const momentOf = (ms: number) => new Date(ms).toISOString()
