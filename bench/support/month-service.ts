import { surveyFlow } from '../flows/survey.ts'
import { type Mode, startDatabases } from './databases.ts'
import { loadDatabase, loadFolder } from './load-month.ts'
import { type Month, monthOf } from './month.ts'
import type { PinnedProcess } from './pinned-process.ts'
import { startService } from './service.ts'

/** Of the service, for all that is asked of a month. */
export const token = 'an-operator-of-benchmarks'

interface MonthService {
  readonly service: PinnedProcess
  readonly month: Month
  stop(): Promise<void>
}

/** Starts a service on stores in which a month of so many conversations is kept. */
export async function startWithMonth(mode: Mode, conversations: number): Promise<MonthService> {
  const databases = await startDatabases(mode)
  const variables = { ADMIN_TOKEN: token, ...databases.variables }
  const workload = { name: 'month', flows: [surveyFlow], variables, prepareLoad: () => Promise.reject() }
  const open = () => startService(workload, { node: process.execPath, build: { folder: '.' } })
  await (await open()).stop()
  const month = monthOf(conversations, Date.now())
  const { DATA_DIR, DATABASE_URL = '' } = databases.variables
  await (DATA_DIR ? loadFolder(DATA_DIR, month) : loadDatabase(DATABASE_URL, month))
  const service = await open()
  return {
    service,
    month,
    async stop() {
      await service.stop()
      await databases.stop()
    },
  }
}
