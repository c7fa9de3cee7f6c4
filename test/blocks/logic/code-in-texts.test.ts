import { describe, expect, it } from 'vitest'
import type { Value } from '../../../src/engine/values/value.ts'
import { annsValues } from '../../engine/javascript/code-world.ts'
import { inlineCode } from '../../fixtures/tables/placeholders.ts'
import { impatientLimits } from '../../support/limits.ts'
import { playBlock } from './play-block.ts'

/** A text of a block with its values, as a list of one; the sandbox runs what goes beyond the engine. */
function show(
  text: string,
  variables: Readonly<Record<string, Value>> = annsValues,
  given?: Parameters<typeof playBlock>[2],
) {
  const options = { variableId: 'vShown', type: 'Append value(s)', item: text }
  return playBlock({ id: 's1', type: 'Set variable', options }, { ...variables, Shown: null }, given)
}

describe('code in a text', () => {
  it.each(inlineCode)('shows %j as %j', async (text, shown) => {
    const { values, logs } = await show(text)
    expect(values['Shown']).toEqual([shown === '' ? null : shown])
    if (shown === 'Ann.foo.bar')
      expect(logs).toMatchObject([{ status: 'error', details: '{{Name}}.foo.bar' }])
    else expect(logs).toEqual([])
  })

  it.each([
    ['{{=new Date(0)=}}', '"1970-01-01T00:00:00.000Z"'],
    ['{{=new Map()=}}', '{}'],
    ['{{=[10n]=}}', null],
    ['{{={{List}}.reduce((a, b) => a + b)=}}{{={{Name}}.normalize()=}}', 'abAnn'],
    ['{{=Object.keys({ vNum, vName })=}}', '["vNum","vName"]'],
    ['{{={{Tpl}}.normalize()=}}', '{{Name}}'],
    ['{{=globalThis.process=}}{{=typeof require=}}', 'undefinedundefined'],
  ])('runs what takes the sandbox: %j is %j', async (text, shown) => {
    const { values, logs } = await show(text)
    expect(values).toEqual(expect.objectContaining({ Shown: [shown], Name: 'Ann' }))
    expect(logs).toEqual([])
  })

  it.each([
    ['{{=Promise.resolve(1)=}}', 'Promise.resolve(1)', /promise/],
    ['{{={{List}}.toReversed()=}} and {{=vNum ** 2n=}}', '["b","a"] and vNum ** 2n', /bigint/],
    ['{{=setVariable("Name", "Bob")=}}', 'setVariable("Name", "Bob")', /setVariable/],
    ['{{=fetch("https://a.example")=}}', 'fetch("https://a.example")', /fetch/],
    ['{{=(() => { throw {{Name}} })()=}}', '(() => { throw Ann })()', /: Ann$/],
    ['{{={{Name}}.repeat(2 ** 29)=}}', 'Ann.repeat(2 ** 29)', /length/],
  ])('shows the source of what throws, and a log says why: %j is %j', async (text, shown, reason) => {
    const { values, logs } = await show(text)
    expect(values).toEqual(expect.objectContaining({ Shown: [shown], Name: 'Ann' }))
    expect(logs).toEqual([
      { status: 'error', description: expect.stringMatching(reason), details: expect.any(String) },
    ])
    expect(logs?.[0]?.description).toMatch(/^Code in a text failed: ./)
  })

  it('shows its source when it never ends, and a log reports why', async () => {
    const { values, logs } = await show('a {{=(() => { for (;;); })()=}}', annsValues, {
      limits: impatientLimits,
    })
    expect(values['Shown']).toEqual(['a (() => { for (;;); })()'])
    expect(logs).toEqual([
      {
        status: 'error',
        description: expect.stringMatching(/^Code in a text did not run to its end: ./),
        details: '(() => { for (;;); })()',
      },
    ])
  })
})
