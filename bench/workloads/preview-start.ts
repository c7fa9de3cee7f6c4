import { type Draft, draftOfBytes } from '../flows/drafts.ts'
import { startBaseline } from '../support/baselines.ts'
import { post } from '../support/post.ts'
import { startService } from '../support/service.ts'
import { bare, type Workload } from './workload.ts'

const path = '/v1/flows/draft/preview/startChat'

export const previewStarts: readonly Workload[] = [
  preview('10 KB, all different', { bytes: 10_000, isRepeated: false, cpu: 1.8 }),
  preview('100 KB, all different', { bytes: 100_000, isRepeated: false, cpu: 1.5 }),
  preview('1 MB, all different', { bytes: 1_000_000, isRepeated: false, cpu: 1.4 }),
  preview('10 KB, repeated', { bytes: 10_000, isRepeated: true, cpu: 1.3 }),
  preview('100 KB, repeated', { bytes: 100_000, isRepeated: true, cpu: 1.3 }),
  preview('1 MB, repeated', { bytes: 1_000_000, isRepeated: true, cpu: 1.3 }),
]

interface PreviewOptions {
  readonly bytes: number
  readonly isRepeated: boolean
  readonly cpu: number
}

function preview(name: string, { bytes, isRepeated, cpu }: PreviewOptions): Workload {
  return {
    name: `preview-start: ${name}`,
    targets: [{ beside: bare, cpu }],
    async prepare({ node, build, isProbed }) {
      const draft = draftOfBytes(bytes)
      const service = await startService([], { node, build, isProbed })
      const server = await startBaseline('bare', await post(service.address, path, draft.body(0)), { node })
      const load = {
        connections: 8,
        ...(isRepeated ? { requests: () => [{ path, body: draft.body(0) }] } : { next: different(draft) }),
      }
      return {
        candidates: [
          { name: 'service', server: service, load },
          { name: bare, server, load },
        ],
        servers: [service, server],
      }
    },
  }
}

function different(draft: Draft) {
  let count = 0
  return () => ({ path, body: draft.body(++count) })
}
