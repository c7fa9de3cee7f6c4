import { setTimeout as sleep } from 'node:timers/promises'
import { draftOfBytes } from '../flows/drafts.ts'
import type { Figures, Measurement } from '../measurement.ts'
import { rounded } from '../support/figures.ts'
import { loadServer } from '../support/load.ts'
import { startService } from '../support/service.ts'

const seconds = 60
const step = 10

/** Memory of the whole process while strangers send large drafts, no two of them alike. */
export const draftMemory: Measurement = {
  name: `draft-memory: ${seconds} s of different 1 MB drafts`,
  async measure({ node }) {
    const service = await startService([], { node, variables: { LOG_LEVEL: 'warn' }, isProbed: true })
    const draft = draftOfBytes(1_000_000)
    const path = '/v1/flows/draft/preview/startChat'
    let version = 0
    const next = () => ({ path, body: draft.body(++version) })
    const figures: Record<string, Figures[string]> = {}
    const point = (name: string) => {
      const { now, highest } = service.residentBytes()
      figures[name] = { drafts: version, 'MB now': rounded(now / 1e6), 'MB at most': rounded(highest / 1e6) }
    }
    await sleep(1000)
    point('at rest')
    for (let passed = 0; passed < seconds; passed += step) {
      await loadServer(service, { connections: 8, next }, step)
      point(`after ${passed + step} s`)
    }
    await service.probe('memory')
    point('after garbage collection')
    await service.stop()
    return figures
  },
}
