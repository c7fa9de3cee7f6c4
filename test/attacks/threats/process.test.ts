import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { bubble, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { notKept, startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'

/** A service of its own process, with one flow published as `welcome`, and how to post to it. */
async function startWelcome(variables: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'threats-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const flow = wholeDefinition({ blocks: [textInput('i1'), bubble('b1', 'Hi'), textInput('i2')] })
  writeFileSync(join(folder, 'welcome.json'), JSON.stringify(flow))
  const service = await startBuiltService({ FLOWS_DIR: folder, ...variables })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  const post = async (path: string, body: Json): Promise<Json> => {
    const headers = { ...notKept, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(15_000)
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal }
    return (await (await fetch(service.address + path, init)).json()) as Json
  }
  return { service, post }
}

it('An unhandled rejection ends the service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'threats-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const defect = join(folder, 'defect.mjs')
  writeFileSync(defect, "process.on('SIGURG', () => { Promise.reject(new TypeError('stray')) })")
  const { service, post } = await startWelcome({ NODE_OPTIONS: `--import=${pathToFileURL(defect)}` })
  const { sessionId } = await post('/v1/flows/welcome/startChat', {})
  for (const count of [1, 2]) {
    service.signal('SIGURG')
    const failures = () => service.output().match(/"level":[56]0/g) ?? []
    await vi.waitFor(() => expect(failures().length).toBe(count), { timeout: 60_000 })
  }
  expect(service.output()).not.toContain('stray')
  const { messages } = await post(`/v1/sessions/${sessionId}/continueChat`, { message: 'Ada' })
  expect(messages).toMatchObject([{ id: 'b1' }])
  expect(await service.stop()).toBe(0)
})

/** Patterns of strings of symbols, that make the sandbox's own matcher write below its stack. */
const beyondMemory = [
  'return "a".match(new RegExp("\\\\p{RGI_Emoji_ZWJ_Sequence}".repeat(400), "v"))',
  'return "b".search(new RegExp("(?:\\\\p{RGI_Emoji}|c)".repeat(350), "v"))',
]

/** Whether the process is gone or repeats the instruction for ever is up to the machine: its caller hears nothing in either. */
const unanswered = ({ message }: Error): Json => ({ logs: `no answer: ${message}` })

it('Code makes the sandbox reach beyond its memory', async () => {
  const { service, post } = await startWelcome({})
  const preview = (expressionToEvaluate: string) => {
    const write = setVariable('s1', 'vV', { isCode: true, expressionToEvaluate })
    const blocks = [write, bubble('b1', 'V is {{V}}'), textInput('i1')]
    const flow = wholeDefinition({ variables: [variable('V')], blocks })
    return post('/v1/flows/draft/preview/startChat', { flow, textBubbleContentFormat: 'markdown' })
  }
  const { sessionId } = await post('/v1/flows/welcome/startChat', {})
  for (const code of [...beyondMemory, ...beyondMemory]) {
    const { logs, input } = await preview(code).catch(unanswered)
    expect(logs).toMatchObject([{ status: 'error' }])
    expect(input).toMatchObject({ id: 'i1' })
  }
  expect(await preview('return eval("6 * 7")')).toMatchObject({
    messages: [{ content: { markdown: 'V is 42' } }],
  })
  const { messages } = await post(`/v1/sessions/${sessionId}/continueChat`, { message: 'Ada' })
  expect(messages).toMatchObject([{ id: 'b1' }])
  expect(await service.stop()).toBe(0)
})
