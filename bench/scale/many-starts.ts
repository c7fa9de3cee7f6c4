import { askingFlow } from '../flows/published.ts'
import type { Figures, Measurement } from '../measurement.ts'
import { rounded } from '../support/figures.ts'
import type { PinnedProcess } from '../support/pinned-process.ts'
import { startService } from '../support/service.ts'
import { sessionIdIn, startMany } from '../support/starts.ts'

const storeBytes = 64 * 1024 * 1024
const step = 200_000
const idLength = 21

/** More starts than the store has room for: what the heap holds meanwhile, and who is still there afterwards. */
export const manyStarts = (count: number): Measurement => ({
  name: `many-starts: ${count / 1e6} million starts, 64 MiB for sessions`,
  async measure({ node }) {
    const flow = askingFlow(1, [])
    const variables = {
      LOG_LEVEL: 'warn',
      SESSION_MAX_BYTES: String(storeBytes),
      // Results are bounded on their own; what is looked at here is sessions.
      RESULT_MAX_BYTES: '4096',
    }
    const service = await startService([flow], { node, variables, isProbed: true })
    const ids = createIdList(count)
    const first = await service.probe('memory')
    const figures: Record<string, Figures[string]> = {}
    const point = async (starts: number) => {
      const { heap, buffers } = await service.probe('memory')
      figures[`${starts.toLocaleString('en')} starts`] = {
        'heap MB': rounded(heap / 1e6),
        'buffers MB': rounded(buffers / 1e6),
        'resident MB': rounded(service.residentBytes().now / 1e6),
      }
      return heap + buffers - first.heap - first.buffers
    }
    await point(0)
    let held = 0
    for (let starts = step; starts <= count; starts += step) {
      await startMany(service.address, flow, { count: step, onAnswer: (text) => ids.add(sessionIdIn(text)) })
      held = await point(starts)
    }
    const oldest = await oldestAlive(service, ids, count)
    const alive = count - oldest
    await service.stop()
    return {
      ...figures,
      'in the end': {
        'sessions alive': alive,
        'accounted bytes a session': rounded(storeBytes / alive),
        'held bytes a session': rounded(held / alive),
      },
    }
  },
})

/** Ids take a few bytes each here, too. */
function createIdList(count: number) {
  const bytes = Buffer.alloc(count * idLength)
  let length = 0
  return {
    add(id: string) {
      bytes.write(id, length++ * idLength, 'latin1')
    },
    at: (index: number) => bytes.toString('latin1', index * idLength, (index + 1) * idLength),
  }
}

/** The oldest session that answers, found by halving: younger ones do, older ones are gone. */
async function oldestAlive(
  { address }: PinnedProcess,
  ids: { at(index: number): string },
  count: number,
): Promise<number> {
  const isAlive = async (index: number) => {
    const path = `/v1/sessions/${ids.at(index)}/continueChat`
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(address + path, { method: 'POST', headers, body: '{"message":"Hi"}' })
    if (status !== 200 && status !== 404) throw new Error(`a session was answered ${status}`)
    return status === 200
  }
  if (!(await isAlive(count - 1))) throw new Error('the newest session is gone')
  let gone = -1
  let alive = count - 1
  while (alive - gone > 1) {
    const middle = Math.floor((gone + alive) / 2)
    if (await isAlive(middle)) alive = middle
    else gone = middle
  }
  return alive
}
