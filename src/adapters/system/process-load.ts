import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { MeasuredLoad } from '../../ports/load-port.ts'

const sampleMs = 250

/** Weight of the latest sample: one pause of a second is forgiven, several in a row are not. */
const weight = 1 / 4

/** Of its utilization, which is looked at far more seldom: half of what is shown is of the last seven seconds. */
const utilizationWeight = 1 / 40

/** Measures the process until it is closed. */
export function createProcessLoad(elapsed: () => number): MeasuredLoad & { close(): void } {
  let before = elapsed()
  let counted = performance.eventLoopUtilization()
  const load = { delayMs: 0, utilization: 0, heapBytes: usedHeap(), rssBytes: residentBytes() ?? 0 }
  const timer = setInterval(() => {
    const now = elapsed()
    const lateMs = Math.max(0, now - before - sampleMs)
    before = now
    load.delayMs += (lateMs - load.delayMs) * weight
    const loop = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(loop, counted)
    counted = loop
    load.utilization += (utilization - load.utilization) * utilizationWeight
    load.heapBytes = usedHeap()
    load.rssBytes = residentBytes() ?? load.rssBytes
  }, sampleMs)
  timer.unref()
  return Object.assign(load, { close: () => clearInterval(timer) })
}

/** Undefined while the process has as many open files as it may: reading the value opens one. */
function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss()
  } catch {
    return undefined
  }
}

function usedHeap(): number {
  return getHeapStatistics().used_heap_size
}

/**
 * Heap size beyond which the process is in danger. The host collects garbage before the heap is half-way from what is
 * in use to its end: below seven tenths, garbage does not count.
 */
export function usualHeapBytes(): number {
  return Math.floor(heapLimitBytes() * 0.85)
}

/** The memory that the process may have: that of its container, or of the machine. */
export function availableBytes(): number {
  // Without a container this is 0, or more than there is.
  return Math.min(process.constrainedMemory() || Infinity, totalmem())
}

/** Memory of the whole process beyond which the system may kill it. */
export function usualRssBytes(): number {
  return Math.floor(availableBytes() * 0.9)
}

/** Heap size at which the process ends. */
export function heapLimitBytes(): number {
  return getHeapStatistics().heap_size_limit
}

/** Limit of open files of this process, connections among them; undefined on a system that does not state it. */
export function openFilesLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
