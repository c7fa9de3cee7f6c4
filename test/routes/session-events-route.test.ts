import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serveChat } from '../fixtures/served-chat.ts'
import { bubble, textInput, variable } from '../fixtures/short-flows.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { wholeDefinition } from '../support/conformance.ts'

const listener = {
  id: 'w1',
  type: 'webhook',
  options: { responseVariableMapping: [{ id: 'm1', variableId: 'vPaid', bodyPath: 'data.paid' }] },
}
const paying = wholeDefinition({
  variables: [variable('Paid')],
  blocks: [listener, bubble('b1', 'Paid {{Paid}}'), textInput('i1'), textInput('i2')],
})
const adminToken = 'the-token-of-the-operator'

async function serve(webhookWaitMs = 0) {
  const served = await serveChat([paying], {
    config: { adminTokens: adminTokens(adminToken), webhookWaitMs },
  })
  const address = await served.app.listen({ port: 0, host: '127.0.0.1' })
  const call = (payload: object) =>
    served.post('/v1/flows/flow-1/blocks/w1/results/result-1/executeWebhook', payload, {
      authorization: `Bearer ${adminToken}`,
    })
  const follow = async (headers: Record<string, string> = {}) => {
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const response = await fetch(`${address}/v1/sessions/session-1/events`, {
      headers,
      signal: ending.signal,
    })
    return { response, next: eventsOf(response), hangUp: () => ending.abort() }
  }
  return { ...served, call, follow }
}

/** Reads event by event; undefined at the end. */
function eventsOf(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async (): Promise<{ event: string; id: string } | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end === -1) {
        const { value, done } = (await reader?.read()) ?? { done: true }
        if (done) return undefined
        text += value
        continue
      }
      const lines = Object.fromEntries(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => line.split(': ')),
      )
      text = text.slice(end + 2)
      if (lines.event) return lines
    }
  }
}

describe('the events of a session', () => {
  it('report a webhook and of each turn, up to the end', async () => {
    const { start, call, goOn, follow } = await serve()
    await start()
    const { response, next } = await follow()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await call({ paid: 5 })
    expect(await next()).toMatchObject({ event: 'webhook' })
    await call({ paid: 6 })
    expect(await next()).toMatchObject({ event: 'webhook' })
    const went = await goOn(null)
    expect(JSON.stringify(went.json().messages)).toContain('"text":"6"')
    expect(await next()).toMatchObject({ event: 'updated', id: String(went.headers['etag']).slice(1, -1) })
    await goOn('a')
    expect(await next()).toMatchObject({ event: 'updated' })
    await goOn('b')
    expect(await next()).toMatchObject({ event: 'updated' })
    expect(await next()).toBeUndefined()
  })

  it('begin with what came before, and with what was missed since the last one', async () => {
    const { start, call, goOn, follow } = await serve()
    const first = String((await start()).headers['etag']).slice(1, -1)
    await call({ paid: 5 })
    expect(await (await follow()).next()).toMatchObject({ event: 'webhook' })
    await goOn(null)
    const { next } = await follow({ 'last-event-id': first })
    expect(await next()).toMatchObject({ event: 'updated' })
  })

  it('are refused where a look is', async () => {
    const { app } = await serve()
    const refused = await app.inject('/v1/sessions/nobody/events')
    expect([refused.statusCode, refused.json().reason]).toEqual([404, 'unknown'])
  })

  it('are sent to a few at once, and to others once those have left', async () => {
    const { start, follow } = await serve()
    await start()
    const open = []
    for (let streams = 0; streams < 5; streams++) open.push(await follow())
    expect((await follow()).response.status).toBe(429)
    open[0]?.hangUp()
    await expect.poll(async () => (await follow()).response.status).toBe(200)
  })

  it('end when the server closes', async () => {
    const { app, start, follow } = await serve()
    await start()
    const { next } = await follow()
    const [, last] = await Promise.all([app.close(), next()])
    expect(last).toBeUndefined()
  })
})

describe('a continue that comes before its webhook', () => {
  it('is answered when the call comes, and holds nothing meanwhile', async () => {
    const { start, call, goOn, look } = await serve(20_000)
    await start()
    const early = goOn(null)
    await expect.poll(() => look().then(({ json }) => json())).toMatchObject({ waitingFor: 'webhook' })
    expect((await call({ paid: 7 })).statusCode).toBe(200)
    expect(JSON.stringify((await early).json())).toContain('"text":"7"')
  })

  it('passes by once it has waited long enough', async () => {
    const { start, goOn } = await serve(50)
    await start()
    expect((await goOn(null)).json()).toMatchObject({ messages: [{ id: 'b1' }], input: { id: 'i1' } })
  })

  it('leaves the way to what the client says itself', async () => {
    const { start, goOn } = await serve(20_000)
    await start()
    const said = await goOn('{"data":{"paid":8}}')
    expect(JSON.stringify(said.json())).toContain('"text":"8"')
  })

  it('is refused when the server closes, and the session stays where it is', async () => {
    const { app, chat, start, goOn } = await serve(20_000)
    await start()
    const early = goOn(null)
    await delay(20)
    await app.close()
    expect((await early).statusCode).toBe(503)
    expect((await chat.conversations.look('session-1'))?.revision).toBe(1)
  })
})
