import { describe, expect, it, onTestFinished } from 'vitest'
import type { TurnTrace } from '../../schemas/trace.ts'
import { serveChat } from '../fixtures/served-chat.ts'
import { bubble, setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'

const previewToken = 'the-token-of-previews-0123456789'
const trusted = { authorization: `Bearer ${previewToken}` }
const flow = wholeDefinition({
  variables: [variable('Name'), variable('Data')],
  blocks: [
    textInput('ask', 'vName'),
    { id: 'call', type: 'Webhook', options: { webhook: { url: 'https://a.example/?token=s3cret' } } },
    setVariable('s', 'vName', '{{Name}}!'),
    textInput('again'),
    bubble('bye', 'Bye'),
  ],
})

/** A preview whose service reaches nothing, and the requests about its trace. */
async function serve() {
  const served = await serveChat([flow], { config: { previewToken } })
  const trace = (query = '', headers = {}, id = 'session-1') =>
    served.app.inject({ method: 'GET', url: `/v1/sessions/${id}/trace${query}`, headers })
  const begin = (body = {}) => served.preview({ flow, trace: true, ...body }, trusted)
  return { ...served, trace, begin }
}

const numbersOf = (turns: readonly TurnTrace[]) => turns.map(({ turn }) => turn)

describe('GET /v1/sessions/{sessionId}/trace', () => {
  it('has the turns of the session, also when it has ended', async () => {
    const { begin, goOn, trace } = await serve()
    const first = (await begin()).json().trace
    const second = (await goOn('Ada')).json().trace
    const third = (await goOn('x')).json().trace
    const { turns } = (await trace()).json()
    expect(turns).toEqual([first, second, third])
    expect(numbersOf(turns)).toEqual([1, 2, 3])
    expect(numbersOf((await trace('?after=2')).json().turns)).toEqual([3])
  })

  it('shows a call with its outcome, and no secret', async () => {
    const { begin, goOn } = await serve()
    await begin()
    const { steps } = (await goOn('Ada')).json().trace as TurnTrace
    const calls = steps.flatMap((step) => step.calls ?? []).filter(({ type }) => type === 'request')
    expect(calls).toMatchObject([{ request: { method: 'POST', url: 'https://a.example/?token=***' } }])
    expect(JSON.stringify(steps)).not.toContain('s3cret')
  })

  it.each([
    ['number input', { min: 1, max: 10 }, 'ten', 'it is no number'],
    ['number input', { min: 1, max: 10 }, '0', 'it is below the minimum, 1'],
    ['number input', { min: 1, max: 10 }, '11', 'it is above the maximum, 10'],
    ['rating input', { length: 5 }, '6', 'it is no rating from 0 to 5'],
    ['email input', {}, 'ada@', 'it is no e-mail address'],
    ['url input', {}, 'shop', 'it is no web address'],
    [
      'phone number input',
      { defaultCountryCode: 'FR' },
      '12',
      'it has no valid phone number of FR or with a dial code',
    ],
    ['date input', {}, 'soon', 'it has no date'],
    ['date input', { isRange: true }, '2026-12-24', 'it has no two dates'],
    ['date input', { max: '2026-12-24' }, '2026-12-25', 'it is not within any past and 2026-12-24'],
    ['time input', {}, 'soon', 'it has no time'],
    [
      'file input',
      { allowedFileTypes: { isEnabled: true, types: ['.pdf'] } },
      'https://a.example/a.png',
      'it is no file of the types pdf',
    ],
    ['choice input', {}, 'Other', 'it names none of the items'],
    ['choice input', { isMultipleChoice: true }, 'Other', 'it names none of the items'],
  ])('says which rule of a %s with %j refused “%s”', async (type, options, said, rule) => {
    const { begin, goOn } = await serve()
    const items = [{ id: 'a', content: 'One' }]
    await begin({ flow: wholeDefinition({ blocks: [{ id: 'ask', type, options, items }] }) })
    const { steps } = (await goOn(said)).json().trace as TurnTrace
    expect(steps[0]?.reply).toEqual({ outcome: 'refused', rule })
  })

  it('says which variables were written, and what they held before', async () => {
    const { begin, goOn } = await serve()
    await begin()
    const { steps } = (await goOn('Ada')).json().trace as TurnTrace
    const named = steps.flatMap(({ wrote = [] }) => wrote.map(({ before, after }) => [before, after]))
    expect(named).toEqual([
      [null, 'Ada'],
      ['Ada', 'Ada!'],
    ])
  })

  it('is there for previews alone that ask for it', async () => {
    const { preview, start, trace } = await serve()
    expect((await start({ trace: true })).json()).not.toHaveProperty('trace')
    expect(await trace()).toMatchObject({ statusCode: 404 })
    expect((await preview({ flow }, trusted)).json()).not.toHaveProperty('trace')
    expect((await trace('', {}, 'session-2')).json()).toMatchObject({
      message: 'The session has no trace: start the preview with "trace": true',
    })
    expect((await trace('', {}, 'nobody')).json()).toMatchObject({ reason: 'unknown' })
  })

  it('needs the token where the session does, and after its end', async () => {
    const { begin, goOn, trace } = await serve()
    const id = 'chosen'
    await begin({ sessionId: id })
    expect(await trace('', {}, id)).toMatchObject({ statusCode: 401 })
    await goOn('Ada', trusted, id)
    await goOn('x', trusted, id)
    expect(await trace('', {}, id)).toMatchObject({ statusCode: 401 })
    expect(await trace('', trusted, id)).toMatchObject({ statusCode: 200 })
  })

  it('begins with the first turn of a session that was only registered', async () => {
    const { begin, goOn, trace } = await serve()
    expect((await begin({ isOnlyRegistering: true })).json()).not.toHaveProperty('trace')
    await goOn('Ada')
    expect(numbersOf((await trace()).json().turns)).toEqual([1])
  })

  it('is a stream of turns for those who ask for events', async () => {
    const { app, begin, goOn } = await serve()
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    await begin()
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const { signal } = ending
    const headers = { accept: 'text/event-stream' }
    const response = await fetch(`${address}/v1/sessions/session-1/trace`, { headers, signal })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await goOn('Ada')
    await goOn('x')
    // The stream ends with the session.
    const events = (await response.text()).split('\n\n').filter((event) => event.includes('data: '))
    const turns = events.map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)) as TurnTrace)
    expect(numbersOf(turns)).toEqual([1, 2, 3])
    expect(events[2]).toMatch(/^id: 3\nevent: turn\n/)
    const resumed = await fetch(`${address}/v1/sessions/session-1/trace`, {
      headers: { ...headers, 'last-event-id': '2' },
      signal,
    })
    expect((await resumed.text()).match(/id: \d/g)).toEqual(['id: 3'])
  })
})
