import { startServiceProcess } from '../../service/service-process.ts'

/** What the event loop of the service was kept from, as it was reported from inside. */
interface Report {
  readonly stopMs: number
  readonly unitMs: number
}

/** The built service, with its event loop watched from inside. */
export interface WatchedService {
  readonly address: string
  /** The longest stop of the event loop during some work, in units of work as the machine did them just before and after, whichever was slower. */
  longestStop(work: () => Promise<unknown>): Promise<number>
  stop(): Promise<unknown>
}

export async function startWatchedService(variables: Record<string, string>): Promise<WatchedService> {
  const waiting: ((report: Report) => void)[] = []
  const onLine = (line: string) => {
    const { probe } = JSON.parse(line)
    if (probe) waiting.shift()?.(probe)
  }
  const args = ['--import', './test/attacks/stall/probe.js', 'dist/bin/flow-runtime.js']
  const { address, child, signal, stop } = await startServiceProcess(variables, { args, onLine })
  const report = () =>
    new Promise<Report>((resolve, reject) => {
      waiting.push(resolve)
      child.once('exit', (code) => reject(new Error(`The service has ended with ${code}`)))
      signal('SIGCONT')
    })
  return {
    address,
    stop,
    async longestStop(work) {
      const before = await report()
      await work()
      const after = await report()
      child.removeAllListeners('exit')
      return after.stopMs / Math.max(before.unitMs, after.unitMs)
    },
  }
}
