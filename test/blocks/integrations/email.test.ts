import { describe, expect, it } from 'vitest'
import type { EmailBlock } from '../../../schemas/blocks/integrations/email.ts'
import { email } from '../../../src/blocks/integrations/email.ts'
import { prepareBlock, runBlock } from '../../support/run-block.ts'

function mail(options?: EmailBlock['options']): EmailBlock {
  return { id: 'b1', type: 'Email', ...(options && { options }) }
}

describe('Email', () => {
  it.each([{}, { recipients: ['ada@mail.example'] }])('is not sent from a preview: %j', (options) => {
    expect(runBlock(email, mail(options), { isLive: false })).toEqual({
      logs: [{ status: 'info', description: 'Emails are not sent in preview mode' }],
    })
  })

  it('is not available in a live session', () => {
    const prepared = prepareBlock(email, mail({ recipients: ['ada@mail.example'] }))
    expect(prepared.run()).toEqual({
      logs: [{ status: 'error', description: 'Email is not available on this server' }],
    })
    expect(prepared.findings).toMatchObject([{ code: 'not-available', at: '' }])
  })

  it('does nothing without recipients', () => {
    const prepared = prepareBlock(email, mail({ body: 'Hello' }))
    expect(prepared.run()).toEqual({})
    expect(prepared.findings).toEqual([])
  })

  it.each([true, false])('does nothing without options (live: %s)', (isLive) => {
    expect(runBlock(email, mail(), { isLive })).toEqual({})
  })

  it('always passes', () => {
    expect(email.alwaysPasses?.(mail())).toBe(true)
  })
})
