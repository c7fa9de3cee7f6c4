import type { Json } from '../../test/support/json.ts'
import {
  asciiFlow,
  decisionFlow,
  expressionFlow,
  japaneseFlow,
  javascriptFlow,
  prefilled,
  sizedFlow,
} from '../flows/published.ts'
import { startService } from '../support/service.ts'
import type { Target, Workload } from './workload.ts'

/** Flows beside other flows of the same service. */
export const flowWorkloads: readonly Workload[] = [
  beside('languages: Japanese and emoji', [japaneseFlow, asciiFlow], { throughput: 0.95 }),
  beside('flow-size: a start of 10 000 groups', [sizedFlow(10_000), sizedFlow(10)], { throughput: 0.95 }),
  beside('code: a simple expression, one at a time', [expressionFlow, decisionFlow], { connections: 1 }),
  beside('code: for the sandbox, one at a time', [javascriptFlow, decisionFlow], { connections: 1 }),
]

function beside(
  name: string,
  [measured, other]: readonly [Json, Json],
  { connections = 32, ...target }: { connections?: number } & Omit<Target, 'beside'>,
): Workload {
  const candidateName = (flow: Json) => String(flow['publicId'])
  return {
    name,
    targets: [{ beside: candidateName(other), ...target }],
    async prepare({ node, build, isProbed }) {
      const server = await startService([measured, other], { node, build, isProbed })
      const candidateOf = (flow: Json) => {
        const request = {
          path: `/v1/flows/${flow['publicId']}/startChat`,
          body: JSON.stringify(prefilled),
        }
        return { name: candidateName(flow), server, load: { connections, requests: () => [request] } }
      }
      return { candidates: [candidateOf(measured), candidateOf(other)], servers: [server] }
    },
  }
}
