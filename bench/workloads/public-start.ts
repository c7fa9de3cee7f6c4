import type { Json } from '../../test/support/json.ts'
import {
  clientScriptFlow,
  decisionFlow,
  expressionFlow,
  javascriptFlow,
  prefilled,
  staticFlow,
  variablesFlow,
} from '../flows/published.ts'
import { post } from '../support/post.ts'
import { besideBaselines } from './beside-baselines.ts'
import type { Workload } from './workload.ts'

export const publicStarts: readonly Workload[] = [
  start('static flow, log off', staticFlow, {
    variables: { LOG_LEVEL: 'warn' },
  }),
  start('static flow', staticFlow),
  start('static flow, walked for each visitor', staticFlow, { body: prefilled }),
  start('variables, nobody brings anything along', variablesFlow),
  start('variables', variablesFlow, { body: prefilled }),
  start('variables, condition, set variable', decisionFlow, {
    body: prefilled,
  }),
  start('the same and a client-side script', clientScriptFlow, { body: prefilled }),
  start('the same and a simple expression', expressionFlow, { body: prefilled }),
  start('the same and code for the sandbox', javascriptFlow, { body: prefilled }),
]

interface StartOptions {
  readonly body?: Json
  readonly variables?: Readonly<Record<string, string>>
}

function start(name: string, flow: Json, { body = {}, ...options }: StartOptions = {}): Workload {
  return besideBaselines(`public-start: ${name}`, {
    flows: [flow],
    ...options,
    async prepareLoad(address) {
      const path = `/v1/flows/${flow['publicId']}/startChat`
      const request = { path, body: JSON.stringify(body) }
      return {
        load: { connections: 32, requests: () => [request] },
        answer: await post(address, path, body),
      }
    },
  })
}
