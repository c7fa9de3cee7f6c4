import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../../src/blocks/index.ts'
import type { RecordingTerms } from '../../src/conversations/dependencies.ts'
import { compileRecorded } from '../../src/tooling/replay/recorded-file.ts'
import { replayRecording } from '../../src/tooling/replay/replay-recording.ts'
import { serveChat } from '../fixtures/served-chat.ts'
import { bubble, setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'

const previewToken = 'the-token-of-previews-0123456789'
const trusted = { authorization: `Bearer ${previewToken}` }
const flow = wholeDefinition({
  variables: [variable('Name'), variable('Id')],
  blocks: [
    textInput('ask', 'vName'),
    setVariable('s', 'vId', { type: 'Random ID' }),
    textInput('again'),
    bubble('bye', 'Bye {{Name}}, {{Id}}'),
  ],
})
const failing = wholeDefinition({
  variables: [variable('Name')],
  blocks: [textInput('ask', 'vName'), { id: 'jump', type: 'Jump', options: { groupId: '{{Name}}' } }],
})
const live = (more: Partial<NonNullable<RecordingTerms['live']>> = {}): RecordingTerms => ({
  maxLength: 100_000,
  live: { share: 1, isForErrors: false, ...more },
})

async function serve(recordings?: RecordingTerms, definition = flow) {
  const served = await serveChat([definition], {
    config: { previewToken },
    ...(recordings && { recordings }),
  })
  const get = (id = 'session-1', headers = {}) =>
    served.app.inject({ method: 'GET', url: `/v1/sessions/${id}/recording`, headers })
  const ofResult = () => served.chat.chat.resultRecording({ publicId: 'flow-1', resultId: 'result-1' })
  return { ...served, get, ofResult }
}

describe('GET /v1/sessions/{sessionId}/recording', () => {
  it('has a preview that asked for it, also when it has ended and its turns are traced', async () => {
    const { preview, goOn, get } = await serve()
    await preview({ flow, record: true, trace: true }, trusted)
    await goOn('Ada')
    await goOn('x')
    const recording = (await get()).json()
    expect(recording.turns).toHaveLength(3)
    expect(JSON.stringify(recording)).not.toContain('session-1')
    const replayed = await replayRecording(recording, {
      programs: compileRecorded(recording, { registry: blockRegistry }),
    })
    expect(replayed.divergence).toBeUndefined()
  })

  it('has the variables that were set in the middle', async () => {
    const { preview, post, goOn, get } = await serve()
    await preview({ flow, record: true }, trusted)
    await goOn('Ada')
    const sent = { message: 'x', setVariables: { Name: 'Bob', Unknown: 1 } }
    const { messages } = (await post('/v1/sessions/session-1/continueChat', sent)).json()
    expect(JSON.stringify(messages)).toContain('"Bob"')
    const recording = (await get()).json()
    const programs = compileRecorded(recording, { registry: blockRegistry })
    expect((await replayRecording(recording, { programs })).divergence).toBeUndefined()
  })

  it('keeps the first turns of one that is too long, and says so', async () => {
    const { preview, goOn, get } = await serve({ maxLength: 2000 })
    await preview({ flow, record: true }, trusted)
    await goOn('x'.repeat(900))
    await goOn('x')
    const { turns, isCut } = (await get()).json()
    expect(isCut).toBe(true)
    expect(turns).toHaveLength(1)
  })

  it.each([
    ['a preview that did not ask', { flow }, 'session-1', 404],
    ['a session that is not there', { flow, record: true }, 'session-9', 404],
  ])('is not there for %s', async (_, body, id, status) => {
    const { preview, get } = await serve()
    await preview(body, trusted)
    expect((await get(id)).statusCode).toBe(status)
  })

  it.each([{ dryRun: true }, { mocks: {} }])(
    'is refused where nothing of it would be real: %j',
    async (body) => {
      const { preview } = await serve()
      const response = await preview({ flow, record: true, ...body }, trusted)
      expect(response.statusCode).toBe(400)
      expect(response.json().errors).toMatchObject([{ pointer: '/record' }])
    },
  )

  it('needs the token where the id was chosen by the client', async () => {
    const { preview, get } = await serve()
    await preview({ flow, record: true, sessionId: 'mine' }, trusted)
    expect((await get('mine')).statusCode).toBe(401)
    expect((await get('mine', trusted)).statusCode).toBe(200)
  })

  it('has no live session, whoever asks', async () => {
    const { start, get } = await serve(live())
    await start()
    expect((await get('session-1', trusted)).statusCode).toBe(404)
  })
})

describe('the recording of a live session', () => {
  it('is there only where the configuration says so', async () => {
    for (const [recordings, isThere] of [
      [undefined, false],
      [live({ share: 0 }), false],
      [live(), true],
    ] as const) {
      const { start, ofResult } = await serve(recordings)
      await start()
      const recording = await ofResult().catch(({ code }) => code)
      expect(recording === 'NOT_FOUND').toBe(!isThere)
    }
  })

  it('is there for errors once a block has failed, and is dropped where none has', async () => {
    const { start, goOn, ofResult, chat } = await serve(live({ isForErrors: true }), failing)
    await start()
    await expect(ofResult()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await goOn('no such group')
    expect((await ofResult()).turns).toHaveLength(2)
    const calm = wholeDefinition({ blocks: [textInput('ask'), bubble('bye')] })
    const other = await serveChat([calm], { recordings: live({ isForErrors: true }) })
    await other.start()
    await other.goOn('x')
    expect((await other.chat.conversations.look('session-1'))?.session.recording).toBeUndefined()
    expect((await chat.conversations.look('session-1'))?.session.recording).toBeDefined()
  })

  it('does not stand in the way of those who start alike', async () => {
    const { start, chat } = await serve(live())
    for (const id of ['session-1', 'session-2']) {
      await start()
      const { recording } = (await chat.conversations.look(id))!.session
      expect(recording?.start.resultId).toBe(id.replace('session', 'result'))
    }
  })

  it('has what something other than a turn made of the session', async () => {
    const { start, goOn, ofResult, chat } = await serve(live())
    await start()
    const { session } = (await chat.conversations.look('session-1'))!
    const entered = await chat.conversations.enter({ id: 'session-1' })
    if (entered.state !== 'entered') throw new Error(entered.state)
    const [entry] = session.queue
    const changed = { ...session, queue: [{ ...entry!, variables: [['vId', 'elsewhere']] as const }] }
    await chat.conversations.commit(entered.lease, { session: changed, results: [], payloads: 'keep' })
    await goOn('Ada')
    await goOn('x')
    const recording = JSON.parse(JSON.stringify(await ofResult()))
    expect(recording.turns.map(({ found }: { found?: object }) => found !== undefined)).toEqual([
      false,
      true,
      false,
    ])
    expect(
      (
        await replayRecording(recording, {
          programs: compileRecorded(recording, { registry: blockRegistry }),
        })
      ).divergence,
    ).toBeUndefined()
  })

  it('is erased with the result', async () => {
    const { start, ofResult, chat } = await serve(live())
    await start()
    await ofResult()
    await chat.conversations.erase('session-1')
    await expect(ofResult()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
