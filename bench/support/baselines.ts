import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PinnedProcess, startPinned } from './pinned-process.ts'

const programs = {
  bare: 'bench/baselines/bare-http.ts',
  fastify: 'bench/baselines/plain-fastify.ts',
}

export type Baseline = keyof typeof programs

/** Starts a server that gives this answer, whatever it is asked. */
export async function startBaseline(
  name: Baseline,
  answer: string,
  { node }: { node: string },
): Promise<PinnedProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-answer-'))
  const file = join(folder, 'answer.json')
  writeFileSync(file, answer)
  const server = await startPinned([node, '--import', 'tsx', programs[name], file])
  return {
    ...server,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
