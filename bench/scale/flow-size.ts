import { draftOfGroups } from '../flows/drafts.ts'
import { prefilled, sizedFlow } from '../flows/published.ts'
import type { Figures, Measurement } from '../measurement.ts'
import { startBaseline } from '../support/baselines.ts'
import { rounded } from '../support/figures.ts'
import { loadServer } from '../support/load.ts'
import { post } from '../support/post.ts'
import { startService } from '../support/service.ts'

const sizes = [10, 100, 1000, 3500]
const seconds = 4

/** Server time a request as flows grow: of starts, and of previews beside a server that only parses the draft. */
export const flowSize: Measurement = {
  name: 'flow-size: server time a request',
  async measure({ node }) {
    const figures: Record<string, Figures[string]> = {}
    const draftPath = '/v1/flows/draft/preview/startChat'
    for (const size of sizes) {
      const flow = sizedFlow(size)
      const draft = draftOfGroups(size)
      const service = await startService([flow], { node })
      const bare = await startBaseline('bare', await post(service.address, draftPath, draft.body(0)), {
        node,
      })
      const start = { path: `/v1/flows/${flow['publicId']}/startChat`, body: JSON.stringify(prefilled) }
      let version = 0
      const drafts = { connections: 8, next: () => ({ path: draftPath, body: draft.body(++version) }) }
      const cpuOf = async (server: typeof service, load: Parameters<typeof loadServer>[1]) => {
        await loadServer(server, load, seconds / 2)
        return (await loadServer(server, load, seconds)).cpuMicroseconds
      }
      const startCpu = await cpuOf(service, { connections: 32, requests: () => [start] })
      const previewCpu = await cpuOf(service, drafts)
      const parsingCpu = await cpuOf(bare, drafts)
      figures[`${size} groups`] = {
        'start µs': rounded(startCpu),
        'draft KB': rounded(draft.body(0).length / 1000),
        'preview µs': rounded(previewCpu),
        'bare parsing µs': rounded(parsingCpu),
        'preview, times parsing': rounded(previewCpu / parsingCpu),
      }
      await service.stop()
      await bare.stop()
    }
    return figures
  },
}
