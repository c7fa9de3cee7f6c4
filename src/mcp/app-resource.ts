import { appAddressOf, type FlowTool } from './flow-tools.ts'
import { McpError } from './mcp-error.ts'

const mimeType = 'text/html;profile=mcp-app'

/** The pages of tools, as a client lists them. */
export function listApps(tools: readonly FlowTool[]): object[] {
  return tools.map(({ name, flow }) => ({ uri: appAddressOf(name), name, title: flow.flow.name, mimeType }))
}

/** The page of a tool: the one of the flow, in a frame. Throws McpError for any other address. */
export function appResource(
  uri: string | undefined,
  tools: readonly FlowTool[],
  pages: string | undefined,
): object {
  if (uri === undefined)
    throw new McpError('invalidParams', '/params/uri must be a text, as `resources/list` names it')
  const tool = pages === undefined ? undefined : tools.find(({ name }) => appAddressOf(name) === uri)
  if (!tool || pages === undefined)
    throw new McpError('resourceNotFound', `There is no resource ${JSON.stringify(uri)}: list them again`)
  const csp = { frameDomains: [new URL(pages).origin] }
  return { uri, mimeType, text: shell, _meta: { ui: { csp, prefersBorder: true } } }
}

/** Tells the program around it that it is there, and shows the page that the result of the tool names. */
const script = `
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
addEventListener('message', ({ data, source }) => {
  if (source !== parent || data === null || typeof data !== 'object') return
  if (data.id === 'hello' && data.result) send({ method: 'ui/notifications/initialized', params: {} })
  if (data.method === 'ui/resource-teardown') send({ id: data.id, result: {} })
  if (data.method !== 'ui/notifications/tool-result') return
  const page = data.params?.structuredContent?.page
  if (typeof page !== 'string') return
  const frame = document.createElement('iframe')
  frame.src = page
  frame.allow = 'camera; microphone; payment'
  document.body.replaceChildren(frame)
  send({ method: 'ui/notifications/size-changed', params: { width: innerWidth, height: 600 } })
})
const appInfo = { name: 'flow-runtime', version: '1' }
const params = { appInfo, appCapabilities: {}, protocolVersion: '2026-01-26' }
send({ id: 'hello', method: 'ui/initialize', params })
`

const shell = `<!doctype html>
<html>
  <head>
    <meta charset="utf-8">
    <meta name="color-scheme" content="light dark">
    <style>html, body { margin: 0; height: 600px } iframe { border: 0; width: 100%; height: 100% }</style>
  </head>
  <body><script>${script}</script></body>
</html>
`
