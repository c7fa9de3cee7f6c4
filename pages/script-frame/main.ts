import type { FrameAnswer, FrameRequest } from '../shared/chat/script-frame-messages.ts'

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<unknown>

/** Runs what the page asks for. The policy of this document gives it an opaque origin. */
addEventListener('message', async ({ data, ports: [port] }: MessageEvent<FrameRequest>) => {
  port?.postMessage(await answer(data))
})

async function answer(request: FrameRequest): Promise<FrameAnswer> {
  try {
    return { ok: true, text: request.kind === 'script' ? await runScript(request) : await callOut(request) }
  } catch (error) {
    return { ok: false, text: error instanceof Error ? error.message : String(error) }
  }
}

async function runScript({ content, args }: FrameRequest & { kind: 'script' }): Promise<string> {
  const run = new AsyncFunction(...args.map(({ id }) => id), content)
  const value = await run(...args.map((arg) => arg.value))
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

async function callOut(request: FrameRequest & { kind: 'request' }): Promise<string> {
  const { url, method = 'GET', headers = {}, body } = request
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(url, { method, headers, ...(sent !== undefined && { body: sent }) })
  const text = await response.text()
  return JSON.stringify({ statusCode: response.status, data: readJson(text) })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
