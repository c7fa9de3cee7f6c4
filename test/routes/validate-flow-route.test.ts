import { describe, expect, it } from 'vitest'
import { bubble, flowLink, leaving, textInput, variable } from '../fixtures/short-flows.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { fixedPorts } from '../support/fixed-ports.ts'
import type { Json } from '../support/json.ts'
import { defaultLimits } from '../support/limits.ts'
import { createTestChat, type TestChatOptions } from '../support/start.ts'

const url = '/v1/flows/validate'

interface Given extends TestChatOptions {
  readonly flows?: readonly Json[]
  readonly previewToken?: string
}

async function open({ flows = [], previewToken, ...options }: Given = {}) {
  const { chat } = createTestChat(flows, options)
  const { app } = await buildTestApp({ chat, config: { previewToken } })
  return (payload: unknown, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url, payload: payload as object, headers })
}

const good = wholeDefinition({
  blocks: [bubble('b1', 'Your name?'), textInput('b2', 'vName'), bubble('b3', 'Hello {{Name}}')],
  variables: [variable('Name')],
})

describe('POST /v1/flows/validate', () => {
  it('says of a good flow that it is one, and what it consists of', async () => {
    const response = await (await open())({ flow: good })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      valid: true,
      runnable: true,
      summary: { error: 0, warning: 0, info: 0 },
      findings: [],
      facts: {
        groups: 1,
        blocks: 3,
        inputs: 1,
        variables: [{ id: 'vName', name: 'Name', reads: 1, writes: 1 }],
        accounts: [],
        links: [],
        hosts: [],
        uploads: false,
        mails: false,
        clientOnlyBlocks: [],
      },
    })
  })

  it('lists what is wrong, and what it depends on', async () => {
    const request = {
      id: 'r',
      type: 'Webhook',
      options: { webhook: { url: 'https://Api.Example/{{Name}}' }, isCustomBody: true },
    }
    const blocks = [request, flowLink('l', 'faq'), leaving({ id: 'f', type: 'file input' }, 'gone')]
    const response = await (await open())({ flow: { ...good, groups: [{ id: 'g1', title: 'G', blocks }] } })
    expect(response.json()).toMatchObject({
      valid: false,
      runnable: true,
      findings: expect.arrayContaining([expect.objectContaining({ code: 'dangling-edge', blockId: 'f' })]),
      facts: { hosts: ['api.example'], links: ['faq'], uploads: true },
    })
  })

  it('answers what a start would refuse with findings', async () => {
    const response = await (await open())({ flow: { ...good, groups: [{ title: 'no id', blocks: [] }] } })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      valid: false,
      runnable: false,
      summary: { error: 1 },
      findings: [{ code: 'invalid-definition', pointer: '/groups/0' }],
    })
    expect(response.json()).not.toHaveProperty('facts')
  })

  it('keeps to the levels that are asked for', async () => {
    const validate = await open()
    const flow = { ...good, events: [{ id: 'start', type: 'start' }] }
    const levels = { 'no-start': 'error', 'unreachable-group': 'off' }
    expect((await validate({ flow, rules: levels, minSeverity: 'error' })).json()).toMatchObject({
      valid: false,
      findings: [{ code: 'no-start', severity: 'error' }],
    })
  })

  it('refuses a rule that does not exist, a level that is none, and a body without a flow', async () => {
    const validate = await open()
    const pointersOf = async (body: Json) => {
      const response = await validate(body)
      expect(response.statusCode).toBe(400)
      return response.json().errors.map(({ pointer }: { pointer: string }) => pointer)
    }
    expect(await pointersOf({ flow: good, rules: { 'no-strat': 'off' } })).toEqual(['/rules/no-strat'])
    expect(await pointersOf({ flow: good, rules: { 'no-start': 'loud' } })).toEqual(['/rules/no-start'])
    expect(await pointersOf({})).toEqual([''])
  })

  it('names lines of a text that is sent', async () => {
    const validate = await open()
    const text = JSON.stringify(
      wholeDefinition({ blocks: [leaving(bubble('a'), 'gone'), textInput('i')] }),
      null,
      2,
    )
    const { findings } = (await validate({ source: text, minSeverity: 'error' })).json()
    const line = text.split('\n').findIndex((one) => one.includes('"gone"'))
    const character = text.split('\n')[line]?.indexOf('"gone"') ?? -1
    expect(findings).toMatchObject([
      { range: { start: { line, character }, end: { line, character: character + 6 } } },
    ])
    const broken = await validate({ source: '{\n"id": ' })
    expect(broken.statusCode).toBe(200)
    expect(broken.json()).toMatchObject({
      runnable: false,
      findings: [{ code: 'invalid-definition', pointer: '' }],
    })
    const keys = JSON.stringify(
      Object.fromEntries(Array.from({ length: 50_000 }, (_, key) => [`k${key}`, 1])),
    )
    expect((await validate({ source: keys })).json()).toMatchObject({ runnable: false })
    expect((await validate({ source: text, flow: good })).statusCode).toBe(400)
  })

  it('needs the preview token where there is one', async () => {
    const validate = await open({ previewToken: 't0ken' })
    expect((await validate({ flow: good })).statusCode).toBe(401)
    expect((await validate({ flow: good }, { authorization: 'Bearer t0ken' })).statusCode).toBe(200)
  })

  it('is refused where it takes long and too many others do', async () => {
    const ports = { ...fixedPorts(), elapsed: ticking() }
    const validate = await open({ ports, heavyTurns: { admit: () => false } })
    expect((await validate({ flow: good })).statusCode).toBe(503)
  })

  it('ends when it has taken as long as a turn may', async () => {
    const ports = { ...fixedPorts(), elapsed: ticking() }
    const validate = await open({ ports, limits: { ...defaultLimits, turnMs: 3 } })
    const flow = wholeDefinition({
      blocks: Array.from({ length: 50 }, (_, index) => leaving(bubble(`b${index}`), 'gone')),
    })
    const { findings } = (await validate({ flow })).json()
    expect(findings.at(-1)).toMatchObject({ code: 'not-all-checked' })
  })
})

describe('a preview start that asks for findings', () => {
  const previewUrl = '/v1/flows/draft/preview/startChat'
  const lost = wholeDefinition({ blocks: [leaving(bubble('a'), 'gone'), textInput('i')] })

  async function start(
    payload: Json,
    { flows = [], previewToken, url = previewUrl }: Given & { url?: string } = {},
  ) {
    const { chat } = createTestChat(flows)
    const { app } = await buildTestApp({ chat, config: { previewToken } })
    const headers = previewToken ? { authorization: `Bearer ${previewToken}` } : {}
    const post = () => app.inject({ method: 'POST', url, payload, headers })
    return { post, response: await post() }
  }

  const codesOf = (body: { findings?: { code: string }[] }) => body.findings?.map(({ code }) => code)

  it('is answered with what a check finds, and runs as ever', async () => {
    const { response } = await start({ flow: lost, findings: true })
    const validate = await open()
    const { findings } = (await validate({ flow: lost })).json()
    expect(response.json()).toMatchObject({ messages: [{ id: 'a' }], input: { id: 'i' }, findings })
    expect(codesOf(response.json())).toContain('dangling-edge')
  })

  it('is answered so too when the draft is ready to run', async () => {
    const { post } = await start({ flow: lost, findings: true })
    await post()
    expect(codesOf((await post()).json())).toContain('dangling-edge')
  })

  it('finds out about a published flow for those who hold the token', async () => {
    const flows = [{ ...lost, id: 'live', blocks: undefined }]
    const url = '/v1/flows/live/preview/startChat'
    const { response } = await start({ findings: true }, { flows, previewToken: 't0ken', url })
    expect(codesOf(response.json())).toContain('dangling-edge')
  })

  it('knows the published flows with the token, and nothing of them without', async () => {
    const flow = wholeDefinition({ blocks: [flowLink('l', 'nowhere'), textInput('i')] })
    const withToken = await start({ flow, findings: true }, { previewToken: 't0ken' })
    expect(codesOf(withToken.response.json())).toContain('link-missing')
    const without = await start({ flow, findings: true })
    expect(codesOf(without.response.json())).not.toContain('link-missing')
  })

  it('has none unless it asks', async () => {
    const { response } = await start({ flow: lost })
    expect(response.json()).not.toHaveProperty('findings')
  })
})

/** A clock that goes on by a millisecond each time it is looked at. */
function ticking() {
  let now = 0
  return () => ++now
}

describe('POST /v1/flows/{publicId}/validate', () => {
  const authorization = 'Bearer adm1n'
  const flows = [
    wholeDefinition({ ...good, id: 'f1', publicId: 'greeting' }),
    wholeDefinition({
      id: 'f2',
      publicId: 'linking',
      isClosed: true,
      blocks: [flowLink('l1', 'f1'), flowLink('l2', 'nowhere')],
    }),
  ]

  async function check(
    publicId: string,
    payload: Json = {},
    headers: Record<string, string> = { authorization },
  ) {
    const { chat } = createTestChat(flows)
    const { app } = await buildTestApp({ chat, config: { adminTokens: adminTokens('adm1n') } })
    const response = await app.inject({
      method: 'POST',
      url: `/v1/flows/${publicId}/validate`,
      payload,
      headers,
    })
    return { status: response.statusCode, body: response.json() }
  }

  it('checks what is published, and its links to other flows', async () => {
    expect((await check('greeting')).body).toMatchObject({ valid: true, findings: [], facts: { groups: 1 } })
    const { body } = await check('linking')
    expect(body.findings).toMatchObject([
      { code: 'link-missing', pointer: '/groups/0/blocks/1/options/flowId' },
    ])
    const rules = { 'link-missing': 'off' }
    expect((await check('linking', { rules })).body.findings).toEqual([])
  })

  it('is for holders of the admin token, and names what it does not know', async () => {
    expect((await check('greeting', {}, {})).status).toBe(401)
    expect((await check('nowhere')).status).toBe(404)
    expect((await check('greeting', { rules: { nothing: 'off' } })).body.errors).toEqual([
      { pointer: '/rules/nothing', message: 'no rule has this code (docs/rules.md)' },
    ])
  })
})
