import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '../../test/support/json.ts'
import { type PinnedProcess, probeModule, startPinned } from './pinned-process.ts'

const builtMain = 'dist/src/main.js'

export interface ServiceOptions {
  readonly node: string
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
  { node, variables, isProbed = false, isPinned = true }: ServiceOptions,
): Promise<PinnedProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-flows-'))
  for (const flow of flows) writeFileSync(join(folder, `${flow['publicId']}.json`), JSON.stringify(flow))
  const probing = isProbed ? ['--expose-gc', '--import', probeModule] : []
  const command = [node, ...probing, '--enable-source-maps', builtMain]
  const service = await startPinned(command, {
    // All visitors of a measurement have one address.
    variables: { FLOWS_DIR: folder, RATE_LIMIT_MAX: '0', ...variables },
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
