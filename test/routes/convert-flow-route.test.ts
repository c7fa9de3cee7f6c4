import { describe, expect, it } from 'vitest'
import { createFlowConverter } from '../../src/tooling/convert/flow-converter.ts'
import { buildTestApp } from '../support/build-test-app.ts'

async function open(config: { readonly previewToken?: string } = {}) {
  const { app } = await buildTestApp({ converter: createFlowConverter(), config })
  return async (payload: object, headers: Record<string, string> = {}) => {
    const response = await app.inject({ method: 'POST', url: '/v1/flows/convert', payload, headers })
    return { status: response.statusCode, body: response.json() }
  }
}

const source = 'flow: f\ngroups:\n  Hi:\n    - Grüße!\n'

describe('POST /v1/flows/convert', () => {
  it('answers with the other form, and with the lines of a text that has none', async () => {
    const convert = await open()
    const { status, body } = await convert({ source, to: 'json' })
    expect([status, body.problems, body.places['/groups/0/blocks/0']]).toEqual([200, [], '4:7'])
    expect(JSON.parse(body.source).groups[0].blocks[0].content).toEqual({ markdown: 'Grüße!' })
    expect((await convert({ source: body.source, to: 'yaml' })).body.source).toContain('- Grüße!')
    const broken = await convert({ source: source.replace('- Grüße!', '- gruss: 1'), to: 'json' })
    expect(broken).toMatchObject({
      status: 200,
      body: { problems: [{ place: expect.stringMatching(/^4:/) }] },
    })
  })

  it('turns away what is too much at once, and takes the next', async () => {
    const convert = await open()
    const all = await Promise.all([1, 2, 3].map(() => convert({ source, to: 'json' })))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 503])
    expect((await convert({ source, to: 'json' })).status).toBe(200)
  })

  it('needs the token of previews where there is one', async () => {
    const convert = await open({ previewToken: 'secret' })
    const body = { source, to: 'json' }
    expect((await convert(body)).status).toBe(401)
    expect((await convert(body, { authorization: 'Bearer secret' })).status).toBe(200)
  })
})
