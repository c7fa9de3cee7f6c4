import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { notKept, startBuiltService } from '../support/built-service.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { attributesOf, startCollector } from '../support/otlp-collector.ts'

const failing = wholeDefinition({
  blocks: [
    textInput('a', 'vName'),
    setVariable('s', 'vName', { expressionToEvaluate: 'nothing.there', isCode: true }),
    textInput('b'),
  ],
  variables: [variable('Name')],
})

it('an answer that was given leads to the lines and the spans of its conversation, and to no session', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'complaint-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'shop.json'), JSON.stringify(failing))
  const collector = await startCollector()
  const service = await startBuiltService({
    FLOWS_DIR: folder,
    ADMIN_TOKEN: 'adm1n',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  const ask = async (path: string, body?: object) => {
    const headers = { authorization: 'Bearer adm1n', 'content-type': 'application/json', ...notKept }
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    return (await (await fetch(service.address + path, { ...init, headers })).json()) as Json
  }
  const talk = async (name: string) => {
    const { sessionId } = await ask('/v1/flows/shop/startChat', {})
    await ask(`/v1/sessions/${sessionId}/continueChat`, { message: name })
    await ask(`/v1/sessions/${sessionId}/continueChat`, { message: { type: 'command', command: 'nothing' } })
    await ask(`/v1/sessions/${sessionId}`)
    return String(sessionId)
  }
  const sessions = [await talk('Ada'), await talk('Grace')]
  const { results } = await ask('/v1/flows/shop/results?answer=Ada')
  const [{ conversation } = {}] = results as Json[]
  expect(await service.stop()).toBe(0)

  const lines = service
    .output()
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Json)
  const ofAda = lines.filter((line) => line['conversation'] === conversation)
  expect(ofAda.map(({ msg, route }) => [msg, route])).toEqual([
    ['request', '/v1/flows/:publicId/startChat'],
    ['a block left error logs', undefined],
    ['request', '/v1/sessions/:sessionId/continueChat'],
    ['request', '/v1/sessions/:sessionId/continueChat'],
    ['request', '/v1/sessions/:sessionId'],
  ])
  expect(lines.filter((line) => 'conversation' in line)).toHaveLength(10)
  const turns = collector.sent().filter(({ name }) => name === 'flow.turn')
  const spansOfAda = turns.filter((span) => attributesOf(span)['gen_ai.conversation.id'] === conversation)
  expect(turns).toHaveLength(2 * spansOfAda.length)
  expect(spansOfAda.length).toBeGreaterThanOrEqual(2)
  for (const session of sessions) expect(service.output()).not.toContain(session)
})
