import type { RedisConnection } from './connection/redis-connection.ts'
import type { RedisLease } from './redis-lease.ts'
import { renewScript } from './scripts/enter-scripts.ts'

/** The leases that a process holds. They renew themselves for as long as they are in here. */
export interface HeldLeases {
  add(lease: RedisLease): void
  remove(lease: RedisLease): void
  has(lease: RedisLease): boolean
  all(): readonly RedisLease[]
  /** Renews none any more. */
  stop(): void
}

export function createHeldLeases(
  { run }: Pick<RedisConnection, 'run'>,
  { leaseMs }: { readonly leaseMs: number },
): HeldLeases {
  const held = new Set<RedisLease>()

  async function renew(lease: RedisLease): Promise<void> {
    const asked = performance.now()
    try {
      const isHeld = await run(renewScript, [lease.keys.session], [lease.token, leaseMs])
      if (lease.heldUntil > 0) lease.heldUntil = isHeld === 1 ? asked + leaseMs : 0
    } catch {
      // The next time may come in time.
    }
  }

  const timer = setInterval(() => {
    const due = performance.now() + leaseMs * (5 / 6)
    for (const lease of held) if (lease.heldUntil < due) void renew(lease)
  }, leaseMs / 3)
  timer.unref()

  return {
    add: (lease) => void held.add(lease),
    remove(lease) {
      held.delete(lease)
      lease.heldUntil = 0
    },
    has: (lease) => held.has(lease),
    all: () => [...held],
    stop: () => clearInterval(timer),
  }
}
