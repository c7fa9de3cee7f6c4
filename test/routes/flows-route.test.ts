import { describe, expect, it } from 'vitest'
import type { FlowState } from '../../schemas/flow-state.ts'
import { describeBrokenFlows } from '../../src/publication/catalogue/flow-states.ts'
import { adminTokens } from '../support/admin-tokens.ts'
import { buildTestApp } from '../support/build-test-app.ts'
import { publicationOf } from '../support/publication.ts'

const state: FlowState = {
  file: 'shop.json',
  state: 'stale',
  publicId: 'shop',
  flowId: 'flow-7',
  publishedAt: '2026-11-21T09:17:01.712Z',
  isClosed: false,
  isArchived: false,
  problems: [{ pointer: '/groups/0', message: 'must have required property id' }],
  findings: [{ severity: 'warning', code: 'missing-group', pointer: '/edges/1', hint: 'Mend it' }],
}

const url = '/v1/flows'

describe('GET /v1/flows', () => {
  it('shows the operator every flow file', async () => {
    const { app } = await buildTestApp({
      publication: publicationOf([state]),
      config: { adminTokens: adminTokens('t0ken') },
    })
    const response = await app.inject({ url, headers: { authorization: 'Bearer t0ken' } })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ flows: [state] })
  })

  it.each([
    [401, 't0ken'],
    [403, undefined],
  ])('is %d to anybody else', async (status, adminToken) => {
    const { app } = await buildTestApp({
      publication: publicationOf([state]),
      config: { adminTokens: adminTokens(adminToken) },
    })
    const response = await app.inject(url)
    expect(response.statusCode).toBe(status)
    expect(response.body).not.toContain('shop.json')
  })
})

describe('a service with broken flow files', () => {
  it('stays ready and names them, up to ten', async () => {
    const broken = Array.from({ length: 13 }, (_, index) => ({
      file: `f${index}.json`,
      state: 'broken' as const,
    }))
    const notices = describeBrokenFlows([state, ...broken, { file: 'good.json', state: 'published' }])
    const { app } = await buildTestApp({ notices: () => notices })
    const response = await app.inject('/ready')
    expect(response.statusCode).toBe(200)
    const { notices: said } = response.json()
    expect(said).toHaveLength(11)
    expect(said[0]).toBe('The flow file shop.json is broken: its last good version is published')
    expect(said.at(-1)).toBe('So are 4 more')
    expect(JSON.stringify(said)).not.toContain('good.json')
  })
})
