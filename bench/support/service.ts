import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Json } from '../../test/support/json.ts'
import { type PinnedProcess, probeModule, startPinned } from './pinned-process.ts'

/** The root of this project. */
const here = join(import.meta.dirname, '../..')

/** A build of the service, perhaps of another time. */
export interface Build {
  readonly folder: string
  /** Of its environment, instead of what this build is started with; one that is empty is not set at all. */
  readonly variables?: Readonly<Record<string, string>>
}

/** The program of the build in a folder. */
export const builtMainOf = (folder: string): string => resolve(folder, 'dist/src/main.js')

export interface ServiceOptions {
  readonly node: string
  /** Default the one of this folder. */
  readonly build?: Build | undefined
  /** Of its environment. */
  readonly variables?: Readonly<Record<string, string>> | undefined
  /** Whether it answers questions about itself. */
  readonly isProbed?: boolean | undefined
  /** Default true. Else it has all cores, for the threads of the sandbox. */
  readonly isPinned?: boolean
}

/** Starts the built service as users do, with these flows published. */
export async function startService(
  flows: readonly Json[],
  { node, build = { folder: here }, variables, isProbed = false, isPinned = true }: ServiceOptions,
): Promise<PinnedProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-flows-'))
  for (const flow of flows) writeFileSync(join(folder, `${flow['publicId']}.json`), JSON.stringify(flow))
  const probing = isProbed ? ['--expose-gc', '--import', probeModule] : []
  const command = [node, ...probing, ...mappingOf(build.folder), builtMainOf(build.folder)]
  const service = await startPinned(command, {
    variables: withoutEmpty({ FLOWS_DIR: folder, ...unrefused, ...variables, ...build.variables }),
    isPinned,
  })
  return {
    ...service,
    async stop() {
      await service.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** All visitors of a measurement have one address, and it takes all that the process has, however little that is. */
const unrefused = { RATE_LIMIT_MAX: '0', MAX_EVENT_LOOP_DELAY_MS: '60000' }

/** Builds of the past were started with source maps. */
function mappingOf(folder: string): string[] {
  const flag = '--enable-source-maps'
  return readFileSync(resolve(folder, 'package.json'), 'utf8').includes(flag) ? [flag] : []
}

function withoutEmpty(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
}
