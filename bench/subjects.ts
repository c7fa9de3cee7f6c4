import { continues } from './workloads/continue.ts'
import { previewStarts } from './workloads/preview-start.ts'
import { publicStarts } from './workloads/public-start.ts'
import { storeWorkloads } from './workloads/stores.ts'
import type { Workload } from './workloads/workload.ts'

/** What is measured, each beside something else. */
export const workloads: readonly Workload[] = [
  ...publicStarts,
  ...continues,
  ...previewStarts,
  ...storeWorkloads,
]
