import type { Contest } from './contests/contest.ts'
import { continues } from './contests/continue.ts'
import { previewStarts } from './contests/preview-start.ts'
import { publicStarts } from './contests/public-start.ts'
import { flowContests } from './contests/same-service.ts'
import { storeContests } from './contests/stores.ts'
import type { Measurement } from './measurement.ts'
import { draftMemory } from './scale/draft-memory.ts'
import { engineOnly } from './scale/engine-only.ts'
import { flowSize } from './scale/flow-size.ts'
import { flowTests } from './scale/flow-tests.ts'
import { hostileEach, hostileTogether } from './scale/hostile.ts'
import { manyStarts } from './scale/many-starts.ts'
import { sessionHeap } from './scale/session-heap.ts'
import { severalProcesses } from './scale/several-processes.ts'
import { startUp } from './scale/start-up.ts'
import { traceOff } from './scale/trace-off.ts'
import { validation } from './scale/validation.ts'

/** What is measured beside something else. */
export const contests: readonly Contest[] = [
  ...publicStarts,
  ...continues,
  ...previewStarts,
  ...flowContests,
  ...storeContests,
]

/** What is measured by itself. */
export const measurements: readonly Measurement[] = [
  engineOnly,
  traceOff,
  flowSize,
  validation,
  flowTests,
  startUp,
  sessionHeap,
  severalProcesses,
  draftMemory,
  manyStarts(2e6),
  hostileTogether,
  hostileEach(1),
  hostileEach(10),
]
