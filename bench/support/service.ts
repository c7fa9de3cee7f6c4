import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Workload } from '../workloads.ts'
import { startDatabases } from './databases.ts'
import { type PinnedProcess, startPinned } from './pinned-process.ts'

/** A build of the service, perhaps of another time. */
export interface Build {
  readonly folder: string
  /** Of its environment, instead of what this build is started with; one that is empty is not set at all. */
  readonly variables?: Readonly<Record<string, string>>
}

/** What Node is called with to run the build in a folder, as its package says. */
function programOf(folder: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'))
  const [, ...args] = (scripts.start as string).split(' ')
  return args.map((arg) => (arg.startsWith('-') ? arg : resolve(folder, arg)))
}

/** Throws unless the build in a folder can be run. */
export function requireBuild(folder: string): void {
  const program = programOf(folder).at(-1) as string
  if (!existsSync(program)) throw new Error(`${program} is not there: run npm run build in ${folder}`)
}

interface ServiceOptions {
  readonly node: string
  readonly build: Build
}

/** Starts a build as users do, with the flows of a workload published, and what keeps its state. */
export async function startService(
  { flows, variables, mode }: Workload,
  { node, build }: ServiceOptions,
): Promise<PinnedProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-flows-'))
  for (const flow of flows) writeFileSync(join(folder, `${flow['publicId']}.json`), JSON.stringify(flow))
  const databases = await startDatabases(mode ?? 'memory')
  const given = { FLOWS_DIR: folder, ...unrefused, ...databases.variables, ...variables, ...build.variables }
  const service = await startPinned([node, ...programOf(build.folder)], withoutEmpty(given))
  return {
    ...service,
    async stop() {
      await service.stop()
      await databases.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** All visitors of a measurement have one address, and it takes all that the process has, however little that is. */
const unrefused = { RATE_LIMIT_MAX: '0', MAX_EVENT_LOOP_DELAY_MS: '60000' }

function withoutEmpty(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
}
