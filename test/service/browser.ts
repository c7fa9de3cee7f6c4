import { setTimeout as sleep } from 'node:timers/promises'

/** Something that the service asks of a browser. */
export interface Action {
  readonly type: string
  readonly expectsDedicatedReply?: boolean
  readonly setVariable?: { readonly scriptToExecute: Script }
  readonly httpRequestToExecute?: { readonly url: string; readonly method?: string }
  readonly wait?: { readonly secondsToWaitFor: number }
}

interface Script {
  readonly content: string
  readonly args: readonly { readonly id: string; readonly value?: unknown }[]
}

/** What the browser sends back when an action is done; null for nothing. */
export async function obey(action: Action): Promise<unknown> {
  if (action.setVariable) return String(await runScript(action.setVariable.scriptToExecute))
  if (action.httpRequestToExecute) {
    const { url, method = 'GET' } = action.httpRequestToExecute
    const response = await fetch(url, { method })
    return JSON.stringify({ statusCode: response.status, data: await response.json() })
  }
  if (action.type === 'listenForWebhook') return JSON.stringify({ data: { state: 'called' } })
  if (!action.wait) throw new Error(`a ${action.type} waits for what this browser can't do`)
  await sleep(action.wait.secondsToWaitFor * 1000)
  return null
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<unknown>

function runScript({ content, args }: Script): Promise<unknown> {
  const run = new AsyncFunction(...args.map(({ id }) => id), content)
  return run(...args.map(({ value }) => value))
}
