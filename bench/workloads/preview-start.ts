import { type Draft, draftOfBytes } from '../flows/drafts.ts'
import { startBaseline } from '../support/baselines.ts'
import { post } from '../support/post.ts'
import { startService } from '../support/service.ts'
import { bare, type Workload } from './workload.ts'

const path = '/v1/flows/draft/preview/startChat'

export const previewStarts: readonly Workload[] = [
  preview('10 KB, all different', { bytes: 10_000, isRepeated: false }),
  preview('100 KB, all different', { bytes: 100_000, isRepeated: false }),
  preview('1 MB, all different', { bytes: 1_000_000, isRepeated: false }),
  preview('10 KB, repeated', { bytes: 10_000, isRepeated: true }),
  preview('100 KB, repeated', { bytes: 100_000, isRepeated: true }),
  preview('1 MB, repeated', { bytes: 1_000_000, isRepeated: true }),
]

interface PreviewOptions {
  readonly bytes: number
  readonly isRepeated: boolean
}

function preview(name: string, { bytes, isRepeated }: PreviewOptions): Workload {
  return {
    name: `preview-start: ${name}`,
    async prepare({ node, build }) {
      const draft = draftOfBytes(bytes)
      const service = await startService([], { node, build })
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
