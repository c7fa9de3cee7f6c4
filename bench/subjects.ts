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
import { continues } from './workloads/continue.ts'
import { previewStarts } from './workloads/preview-start.ts'
import { publicStarts } from './workloads/public-start.ts'
import { flowWorkloads } from './workloads/same-service.ts'
import { storeWorkloads } from './workloads/stores.ts'
import type { Workload } from './workloads/workload.ts'

/** What is measured beside something else. */
export const workloads: readonly Workload[] = [
  ...publicStarts,
  ...continues,
  ...previewStarts,
  ...flowWorkloads,
  ...storeWorkloads,
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
