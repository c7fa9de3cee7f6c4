import { watch as watchFile } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { PublicationLog } from '../catalogue/flow-shelf.ts'

/** In milliseconds. */
export interface WatchTiming {
  /** How long changes are gathered: editors and copies make several of one. */
  readonly debounceMs: number
  /** How often to look without an event: network mounts and links out of the folder change in silence. */
  readonly rescanMs: number
  /** How often to look for a folder that is missing, which emits no events: one that is swapped is back in a moment. */
  readonly missingMs: number
}

interface FolderWatchOptions extends WatchTiming {
  readonly folder: string
  /** Called some time after one or many changes, and every now and then without any. */
  onChange(): unknown
  readonly report: PublicationLog
}

interface Watcher {
  on(event: 'error', listener: (error: Error) => void): this
  close(): void
}

/** The part of `fs.watch` that is used. It fails where the system has no watches left, or knows none. */
export type Watch = (folder: string, options: { persistent: false }, listener: () => void) => Watcher

/** Follows what happens in a folder. Keeps no process alive. */
interface FolderWatch {
  /** Follows the folder that the path leads to now: it may have appeared, or been replaced. */
  renew(): Promise<void>
  close(): void
}

export function watchFolder(options: FolderWatchOptions, watch: Watch = watchFile): FolderWatch {
  const { folder, onChange, debounceMs, rescanMs, missingMs, report } = options
  let watcher: Watcher | undefined
  let watched: string | undefined
  let pending: { readonly timer: NodeJS.Timeout; readonly ms: number } | undefined
  let isFailureTold = false
  let isClosed = false

  /** Calls after so many milliseconds, unless that is due sooner anyway. */
  function callWithin(ms: number): void {
    if (isClosed || (pending && pending.ms <= ms)) return
    clearTimeout(pending?.timer)
    const call = () => {
      pending = undefined
      callWithin(rescanMs)
      onChange()
    }
    pending = { timer: setTimeout(call, ms).unref(), ms }
  }

  function stop(): void {
    watcher?.close()
    watcher = undefined
    watched = undefined
  }

  function fail(err: unknown): void {
    stop()
    if (isFailureTold) return
    isFailureTold = true
    report.warn({ folder, err, rescanMs }, 'folder can not be watched: changes are noticed by rescans only')
  }

  callWithin(rescanMs)
  return {
    async renew() {
      const identity = await identityOf(folder)
      if (isClosed) return
      if (identity === undefined) callWithin(missingMs)
      if (identity === watched) return
      stop()
      if (identity === undefined) return
      try {
        watcher = watch(folder, { persistent: false }, () => callWithin(debounceMs)).on('error', fail)
        watched = identity
      } catch (error) {
        fail(error)
      }
    },
    close() {
      isClosed = true
      stop()
      clearTimeout(pending?.timer)
    },
  }
}

/** Distinguishes folders that succeed each other under one path; undefined when there is none. */
async function identityOf(folder: string): Promise<string | undefined> {
  const stats = await stat(folder).catch(() => undefined)
  return stats && `${stats.dev}:${stats.ino}`
}
