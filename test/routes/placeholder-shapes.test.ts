import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../support/build-test-app.ts'
import type { Json } from '../support/json.ts'
import { expectValid } from '../support/response-validators.ts'
import { createTestChat } from '../support/start.ts'

/** Every field that the contract shows, filled in as documentation tools do it. */
const shapes: { publicStart: Json; previewStart: Json & { flow: Json } } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/placeholder-shapes.json'), 'utf8'),
)
const { flow } = shapes.previewStart

const log = {
  status: 'error',
  description: 'The conversation was stopped: more than 1000 blocks in one turn',
  details: 'Loop: group "<string>" (<string>): <string>',
}

const place = encodeURIComponent('<string>')
const publicStart = `/v1/flows/${place}/startChat`
const previewStart = `/v1/flows/${place}/preview/startChat`

/** The one block of the flow leads back to itself, so that nothing is shown and the log tells of the loop. */
const looped = {
  flow: { id: '<string>', version: '6', settings: flow['settings'], theme: flow['theme'] },
  messages: [],
  logs: [log],
  progress: 100,
}

const startProps = { customHeadCode: '<string>', gtmId: '<string>' }

async function post(url: string, payload: Json, definitions: readonly Json[] = []) {
  const { chat } = createTestChat(definitions)
  const { app } = await buildTestApp({ chat })
  return app.inject({ method: 'POST', url, payload })
}

describe('the shapes of the contract, filled with placeholders', () => {
  it('start a published flow', async () => {
    const response = await post(publicStart, shapes.publicStart, [flow])
    expect(response.statusCode).toBe(200)
    expectValid('public', response.json())
    expect(response.json()).toEqual({
      sessionId: 'session-1',
      resultId: 'result-1',
      ...looped,
      flow: { ...looped.flow, publishedAt: '<string>' },
      clientSideActions: [{ type: 'startPropsToInject', startPropsToInject: startProps }],
    })
  })

  it('start a preview', async () => {
    const response = await post(previewStart, shapes.previewStart)
    expect(response.statusCode).toBe(200)
    expectValid('preview', response.json())
    expect(response.json()).toEqual({
      sessionId: '<string>',
      ...looped,
      logs: [
        log,
        {
          status: 'info',
          description: 'Custom head code, Google Tag Manager are not enabled in Preview mode',
        },
      ],
    })
  })

  it('start at the event when no group is asked for', async () => {
    const { startFrom, ...body } = shapes.previewStart
    expect(startFrom).toEqual({ type: 'group', groupId: '<string>' })
    const response = await post(previewStart, body)
    expect(response.statusCode).toBe(200)
    expect(response.json().logs[0]).toEqual(log)
  })

  it.each(['3', '4', '5', '6', '6.1'])('start in version %s', async (version) => {
    const body = { ...shapes.previewStart, flow: { ...flow, version } }
    const response = await post(previewStart, body)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ flow: { version }, logs: [log, {}] })
  })

  it.each(Object.keys(shapes.publicStart))('start a published flow without %s', async (key) => {
    const { [key]: _left, ...body } = shapes.publicStart
    expect((await post(publicStart, body, [flow])).statusCode).toBe(200)
  })

  it.each(Object.keys(shapes.previewStart).filter((key) => key !== 'flow'))(
    'start a preview without %s',
    async (key) => {
      const { [key]: _left, ...body } = shapes.previewStart
      expect((await post(previewStart, body)).statusCode).toBe(200)
    },
  )

  it('register when asked to', async () => {
    const response = await post(publicStart, { ...shapes.publicStart, isOnlyRegistering: true }, [flow])
    expect(response.json()).toEqual({
      sessionId: 'session-1',
      resultId: 'result-1',
      flow: looped.flow,
      messages: [],
    })
  })

  it('are kept out by the origin that the settings name', async () => {
    const { chat } = createTestChat([flow])
    const { app } = await buildTestApp({ chat })
    const from = (origin: string) =>
      app.inject({ method: 'POST', url: publicStart, payload: shapes.publicStart, headers: { origin } })
    expect((await from('https://b.example')).statusCode).toBe(403)
    expect((await from('<string>')).statusCode).toBe(200)
  })
})
