import { draftOfGroups } from '../flows/drafts.ts'
import type { Figures, Measurement } from '../measurement.ts'
import { rounded } from '../support/figures.ts'
import { loadServer } from '../support/load.ts'
import { startService } from '../support/service.ts'

const sizes = [10, 100, 1000]
const seconds = 4

/** What checking a flow takes as flows grow, one request at a time, no two of the same flow. */
export const validation: Measurement = {
  name: 'validation: a flow at a time',
  async measure({ node }) {
    const figures: Record<string, Figures[string]> = {}
    for (const size of sizes) {
      const service = await startService([], { node })
      const draft = draftOfGroups(size)
      let version = 0
      const load = {
        connections: 1,
        next: () => ({ path: '/v1/flows/validate', body: draft.body(++version) }),
      }
      await loadServer(service, load, seconds)
      const { cpuMicroseconds, p50, p99 } = await loadServer(service, load, seconds)
      figures[`${size} groups`] = {
        'server ms': rounded(cpuMicroseconds / 1000),
        'p50 ms': rounded(p50),
        'p99 ms': rounded(p99),
      }
      await service.stop()
    }
    return figures
  },
}
