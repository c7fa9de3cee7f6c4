import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PinnedProcess, startPinned } from './pinned-process.ts'

const programs = {
  bare: 'bench/yardsticks/bare-http.ts',
  fastify: 'bench/yardsticks/plain-fastify.ts',
}

export type Yardstick = keyof typeof programs

/** Starts a server that gives this answer, whatever it is asked. */
export async function startYardstick(
  name: Yardstick,
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
