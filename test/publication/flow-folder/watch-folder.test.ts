import { EventEmitter } from 'node:events'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Watch, watchFolder } from '../../../src/publication/flow-folder/watch-folder.ts'

const folder = tmpdir()

class FakeWatcher extends EventEmitter {
  isClosed = false

  close(): void {
    this.isClosed = true
  }
}

function setup(watch: Watch, watched = folder) {
  const told: object[] = []
  const note = (details: object) => told.push(details)
  let changes = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const options = {
    folder: watched,
    debounceMs: 100,
    rescanMs: 1000,
    missingMs: 50,
    report: { info: note, warn: note, error: note },
  }
  const following = watchFolder({ ...options, onChange: () => changes++ }, watch)
  onTestFinished(() => following.close())
  return { following, told, changes: () => changes }
}

describe('following a folder', () => {
  it('gathers changes, and keeps none back for those that follow', async () => {
    let change = () => {}
    const { following, changes } = setup((_, _options, listener) => {
      change = listener
      return new FakeWatcher()
    })
    await following.renew()
    for (let times = 0; times < 5; times++) {
      change()
      vi.advanceTimersByTime(30)
    }
    expect(changes()).toBe(1)
    vi.advanceTimersByTime(100)
    expect(changes()).toBe(2)
  })

  it('looks soon, and again, for a folder that is missing, and no more once it is there', async () => {
    const missing = join(mkdtempSync(join(tmpdir(), 'parent-')), 'flows')
    const { following, changes } = setup(() => new FakeWatcher(), missing)
    await following.renew()
    vi.advanceTimersByTime(50)
    expect(changes()).toBe(1)
    await following.renew()
    vi.advanceTimersByTime(50)
    expect(changes()).toBe(2)
    mkdirSync(missing)
    await following.renew()
    vi.advanceTimersByTime(500)
    expect(changes()).toBe(2)
  })

  it('looks at regular times all the same', () => {
    const { changes } = setup(() => new FakeWatcher())
    vi.advanceTimersByTime(3000)
    expect(changes()).toBe(3)
  })

  it('follows one folder once', async () => {
    const watchers: FakeWatcher[] = []
    const { following } = setup(() => {
      const watcher = new FakeWatcher()
      watchers.push(watcher)
      return watcher
    })
    await following.renew()
    await following.renew()
    expect(watchers.map(({ isClosed }) => isClosed)).toEqual([false])
    following.close()
    expect(watchers.map(({ isClosed }) => isClosed)).toEqual([true])
  })

  it('goes on by regular looks, and reports once, where there is nothing to watch with', async () => {
    const failure = new Error('no watches left')
    const { following, told, changes } = setup(() => {
      throw failure
    })
    await following.renew()
    await following.renew()
    expect(told).toEqual([{ folder, err: failure, rescanMs: 1000 }])
    vi.advanceTimersByTime(1000)
    expect(changes()).toBe(1)
  })

  it('begins anew after a watch that broke', async () => {
    const watchers: FakeWatcher[] = []
    const { following, told } = setup(() => {
      const watcher = new FakeWatcher()
      watchers.push(watcher)
      return watcher
    })
    await following.renew()
    watchers[0]?.emit('error', new Error('gone'))
    await following.renew()
    expect(watchers.map(({ isClosed }) => isClosed)).toEqual([true, false])
    expect(told).toHaveLength(1)
  })

  it('watches nothing when it is closed meanwhile', async () => {
    let watches = 0
    const { following } = setup(() => {
      watches += 1
      return new FakeWatcher()
    })
    const renewed = following.renew()
    following.close()
    await renewed
    expect(watches).toBe(0)
  })
})
