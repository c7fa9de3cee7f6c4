import { describe, expect, it } from 'vitest'
import { legacyOpenAi } from '../../../src/blocks/integrations/legacy-open-ai.ts'
import { vendor } from '../../../src/blocks/integrations/vendor.ts'
import type { BlockHandler } from '../../../src/engine/model/block-handler.ts'
import { prepareBlock } from '../../support/run-block.ts'

const served: [BlockHandler, string][] = [
  [legacyOpenAi, 'OpenAI'],
  ...vendor.types.map((type): [BlockHandler, string] => [vendor, type]),
]

describe.each(served)('A block that is not available', (handler, type) => {
  it(`tells so and lets the walk go on: ${type}`, () => {
    const block = { id: 'b1', type, options: { action: 'Anything' } }
    const prepared = prepareBlock(handler, block)
    expect(prepared.run()).toEqual({
      logs: [{ status: 'error', description: `${type} is not available on this server` }],
    })
    expect(prepared.findings).toMatchObject([{ code: 'not-available', severity: 'warning', at: '' }])
    expect(handler.isPassThrough?.(block)).toBe(true)
  })

  it(`says nothing as long as it is not set up: ${type}`, () => {
    const prepared = prepareBlock(handler, { id: 'b1', type })
    expect(prepared.run()).toEqual({})
    expect(prepared.findings).toEqual([])
  })
})

it('serves every type that is known and not available', () => {
  expect(served.map(([, type]) => type).sort()).toEqual(['OpenAI', 'elevenlabs', 'gmail'].sort())
})
