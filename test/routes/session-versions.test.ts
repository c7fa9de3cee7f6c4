import { describe, expect, it } from 'vitest'
import { serveChat } from '../fixtures/served-chat.ts'
import { bubble, textInput, variable } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'

const asking = wholeDefinition({
  variables: [variable('Name')],
  blocks: [
    textInput('i1', 'vName'),
    bubble('b1', 'Hi {{Name}}'),
    { ...textInput('i2'), options: { labels: { placeholder: 'And then, {{Name}}?' } } },
    textInput('i3'),
  ],
})
const key = 'a-key-that-is-long-enough-1'
type Answer = { readonly headers: Record<string, unknown> }
const etagOf = ({ headers }: Answer) => String(headers['etag'])
const ifMatch = (etag: string) => ({ 'if-match': etag })

describe('the ETag of a session', () => {
  it('changes with every turn, and is that of a look', async () => {
    const { start, goOn, look } = await serveChat([asking])
    const etags: string[] = []
    for (const turn of [() => start(), () => goOn('Ada'), () => goOn('x')]) {
      etags.push(etagOf(await turn()))
      expect(etagOf(await look())).toBe(etags.at(-1))
    }
    expect(new Set(etags).size).toBe(3)
    for (const etag of etags) expect(etag).toMatch(/^"[!#-~]+"$/)
  })

  it('may be read by browsers', async () => {
    const { start } = await serveChat([asking])
    const { headers } = await start({}, { origin: 'https://shop.example' })
    expect(headers['access-control-expose-headers']).toContain('etag')
  })

  it('stays as it was after a refused continue, which carries none', async () => {
    const { start, goOn, look } = await serveChat([asking])
    const etag = etagOf(await start())
    const refused = await goOn({ type: 'command', command: 'unknown' })
    expect(refused.statusCode).toBe(400)
    expect(refused.headers).not.toHaveProperty('etag')
    expect(etagOf(await look())).toBe(etag)
  })

  it('is that of the first answer when a request is repeated', async () => {
    const { start, preview, goOn } = await serveChat([asking])
    const repeated = { 'idempotency-key': key }
    for (const send of [
      () => start({}, repeated),
      () => goOn('Ada', repeated, 'session-1'),
      () => preview({ flow: asking, sessionId: 'mine' }, repeated),
    ]) {
      const [first, second] = [await send(), await send()]
      expect(second.headers['idempotent-replayed']).toBe('true')
      expect(etagOf(second)).toBe(etagOf(first))
      expect(second.body).toBe(first.body)
    }
  })

  it('differs for a preview that is started over', async () => {
    const { preview, goOn, look } = await serveChat([])
    const started = () => preview({ flow: asking, sessionId: 'mine' })
    const first = etagOf(await started())
    const second = etagOf(await started())
    expect(second).not.toBe(first)
    expect((await goOn('Ada', ifMatch(first), 'mine')).statusCode).toBe(412)
    expect(etagOf(await look({}, 'mine'))).toBe(second)
  })
})

describe('If-Match of a continue', () => {
  it.each([
    ['the present version', (etag: string) => etag],
    ['the present version among others', (etag: string) => `"1-0", ${etag}`],
    ['the present version as a gateway weakened it', (etag: string) => `W/${etag}`],
    ['any version', () => '*'],
  ])('lets a reply through for %s', async (_name, given) => {
    const { start, goOn } = await serveChat([asking])
    const etag = etagOf(await start())
    const answer = await goOn('Ada', ifMatch(given(etag)))
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ input: { id: 'i2' } })
  })

  it('keeps a second click from answering the next question', async () => {
    const { start, goOn, look } = await serveChat([asking])
    const etag = etagOf(await start())
    const [first, second] = await Promise.all([goOn('Ada', ifMatch(etag)), goOn('Ada', ifMatch(etag))])
    expect([first.statusCode, second.statusCode]).toEqual([200, 412])
    const { input } = first.json()
    expect(second.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(second.json()).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED', input })
    expect(input.options.labels.placeholder).toBe('And then, Ada?')
    expect(etagOf(second)).toBe(etagOf(first))
    expect((await look()).json().input).toEqual(input)
  })

  it('leaves the key of a stale request free', async () => {
    const { start, goOn } = await serveChat([asking])
    const etag = etagOf(await start())
    await goOn('Ada')
    const repeated = { 'idempotency-key': key }
    expect((await goOn('x', { ...ifMatch(etag), ...repeated })).statusCode).toBe(412)
    expect((await goOn('x', repeated)).json()).toMatchObject({ input: { id: 'i3' } })
  })

  it('gives no input where none waits', async () => {
    const pausing = { id: 'w', type: 'Wait', options: { secondsToWaitFor: '5', shouldPause: true } }
    const { start, goOn } = await serveChat([wholeDefinition({ blocks: [textInput('i1'), pausing] })])
    const etag = etagOf(await start())
    await goOn('Ada')
    const stale = await goOn('x', ifMatch(etag))
    expect(stale.statusCode).toBe(412)
    expect(stale.json()).not.toHaveProperty('input')
  })

  it.each(['3-abc', '"3-abc', '"a" "b"', '"a",', ''])(
    'is refused where it is no list of tags: %j',
    async (given) => {
      const { start, goOn } = await serveChat([asking])
      await start()
      expect((await goOn('Ada', ifMatch(given))).statusCode).toBe(400)
    },
  )

  it('does not bring an unknown session to life', async () => {
    const { goOn } = await serveChat([asking])
    expect((await goOn('Ada', ifMatch('"1-abc"'))).statusCode).toBe(404)
  })
})
