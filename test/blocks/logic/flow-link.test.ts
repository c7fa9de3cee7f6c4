import { describe, expect, it } from 'vitest'
import { flowLink } from '../../../src/blocks/logic/jumps.ts'
import { runBlock, type Surroundings } from '../../support/run-block.ts'

function run(options: object | undefined, given: Surroundings = {}) {
  return runBlock(flowLink, { id: 'b1', type: 'Flow link', ...(options && { options }) }, given)
}

describe('Flow link', () => {
  it('names the flow that it enters at its start', () => {
    expect(run({ flowId: 'flow-2' })).toEqual({
      next: { to: 'link', flowId: 'flow-2', group: undefined, mergesResults: false },
    })
  })

  it('names a group by its id', () => {
    expect(run({ flowId: 'flow-2', groupId: 'g2' }).next).toMatchObject({
      group: { by: 'id', value: 'g2', source: 'g2' },
    })
  })

  it('names a group by its title, which a variable of the linking flow holds', () => {
    const variables = { Next: 'Basket' }
    expect(run({ flowId: 'current', groupId: '{{Next}}' }, { variables }).next).toMatchObject({
      flowId: 'current',
      group: { by: 'title', value: 'Basket', source: '{{Next}}' },
    })
  })

  it.each([
    [{ mergeResults: true }, false, true],
    [{ mergeResults: false }, false, false],
    [{}, false, false],
    [{ mergeResults: true }, true, true],
    [{ mergeResults: false }, true, false],
    [{}, true, true],
  ])('given %j and a linking flow below version 6: %s, merges: %s', (options, isLegacy, mergesResults) => {
    expect(run({ flowId: 'flow-2', ...options }, { isLegacy }).next).toMatchObject({ mergesResults })
  })

  it.each([undefined, {}, { flowId: '' }, { groupId: 'g1' }])(
    'reports that no flow is named by %j',
    (options) => {
      const description = 'Flow link could not be followed'
      expect(run(options)).toEqual({
        logs: [{ status: 'error', description, details: 'No flow id is set' }],
      })
    },
  )
})
