import { variable } from '../../test/fixtures/short-flows.ts'
import type { Json } from '../../test/support/json.ts'
import { askingFlow } from '../flows/published.ts'
import type { Figures, Measurement } from '../measurement.ts'
import { rounded } from '../support/figures.ts'
import { startService } from '../support/service.ts'
import { startMany } from '../support/starts.ts'

const sessions = 100_000

const cases = [
  { name: 'no variable', variables: 0 },
  { name: 'one variable', variables: 1, target: '≤ 450' },
  { name: 'ten variables', variables: 10, target: '≤ 1024' },
  { name: 'one variable, 5 000 groups', variables: 1, groups: 5000, target: '≤ 450' },
  { name: 'one variable, and its result', variables: 1, hasResults: true },
]

/** What a session takes up: what the heap holds after garbage collection, before and after so many starts. */
export const sessionHeap: Measurement = {
  name: 'session-heap: bytes a session',
  async measure({ node }) {
    const figures: Record<string, Figures[string]> = {}
    for (const { name, variables, groups = 1, hasResults = false, target = '' } of cases) {
      const names = Array.from({ length: variables }, (_, index) => `Field ${index}`)
      const declared = names.map((field) => variable(field))
      const flow = askingFlow(groups, declared)
      const body = { prefilledVariables: Object.fromEntries(names.map((field) => [field, 'Ada Lovelace'])) }
      figures[name] = { bytes: await bytesEach(flow, body, { node, hasResults }), target }
    }
    return figures
  },
}

async function bytesEach(
  flow: Json,
  body: Json,
  { node, hasResults }: { node: string; hasResults: boolean },
): Promise<number> {
  const roomForAll = String(2 ** 30)
  const variables = {
    LOG_LEVEL: 'warn',
    SESSION_MAX_BYTES: roomForAll,
    // Results that nobody can read are not kept.
    ...(hasResults && { ADMIN_TOKEN: 'operator', RESULT_MAX_BYTES: roomForAll }),
  }
  const service = await startService([flow], { node, variables, isProbed: true })
  await startMany(service.address, flow, { count: 10_000, body })
  const before = await service.probe('memory')
  await startMany(service.address, flow, { count: sessions, body })
  const after = await service.probe('memory')
  await service.stop()
  return rounded((after.heap + after.buffers - before.heap - before.buffers) / sessions)
}
