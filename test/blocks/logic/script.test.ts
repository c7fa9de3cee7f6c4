import { describe, expect, it } from 'vitest'
import { script } from '../../../src/blocks/logic/script.ts'
import { prepareBlock, runBlock } from '../../support/run-block.ts'

const block = (options?: object) => ({ id: 's1', type: 'Code', ...(options && { options }) })

describe('script', () => {
  it('sends the code with the variables that it uses', () => {
    const step = runBlock(script, block({ content: 'alert({{Name}} + {{Age}})' }), {
      variables: { Name: 'Ada', Age: '41' },
    })
    expect(step).toEqual({
      actions: [
        {
          type: 'scriptToExecute',
          scriptToExecute: {
            content: 'alert(vName + vAge)',
            args: [
              { id: 'vName', value: 'Ada' },
              { id: 'vAge', value: 41 },
            ],
          },
        },
      ],
    })
  })

  it.each([true, false])('passes isUnsafe: %s on', (isUnsafe) => {
    const { actions } = runBlock(script, block({ content: 'f()', isUnsafe, isExecutedOnClient: true }))
    expect(actions).toEqual([
      { type: 'scriptToExecute', scriptToExecute: { content: 'f()', args: [], isUnsafe } },
    ])
  })

  it.each([
    ['options', undefined],
    ['content', { name: 'Script' }],
    ['more than empty content', { content: '' }],
    ['content for the server', { isExecutedOnClient: false }],
  ])('does nothing without %s', (_what, options) => {
    expect(runBlock(script, block(options))).toEqual({})
  })

  it('tells that code for the server did not run, and passes', () => {
    const prepared = prepareBlock(
      script,
      block({ content: "setVariable('A', 1)", isExecutedOnClient: false }),
    )
    expect(prepared.run()).toEqual({
      logs: [
        {
          status: 'error',
          context: 'Script',
          description: 'The script did not run: this server does not run scripts',
        },
      ],
    })
    expect(prepared.findings).toMatchObject([{ code: 'not-available', at: '/options/isExecutedOnClient' }])
  })

  it('always passes', () => {
    expect(script.alwaysPasses?.(block({ content: 'f()' }))).toBe(true)
  })
})
