import { describe, expect, it } from 'vitest'
import { parseTemplate } from '../../../src/engine/templates/parse-template.ts'
import { placesForTexts } from '../../../src/engine/templates/style-values.ts'
import { worldOf } from '../javascript/code-world.ts'

const { table } = worldOf({ V: '' })
const placesIn = (rules: string) => placesForTexts(parseTemplate(rules, table))

describe('a place in style rules', () => {
  it.each([
    'a{font-family:{{V}}}',
    'a{font-family:"Open Sans",{{V}}}',
    "a{content:'it';font-family:{{V}}}",
    'a{content:"\\"";font-family:{{V}}}',
    'a{content:"broken\n;font-family:{{V}}}',
    "/* it's */a{font-family:{{V}}}",
    '/* \\*/a{font-family:{{V}}}',
    'a{background:url(it\'s_a"b);font-family:{{V}}}',
    "a{background:url(a\\)');font-family:{{V}}}",
    'a{background:url( "a" );font-family:{{V}}}',
    'a{background:my-url(a);font-family:{{V}}}',
    'a{background:url("{{V}}")}{{V}}',
  ])('takes the texts of a value where it stands alone: %j', (rules) => {
    expect(placesIn(rules).at(-1)).toBe(true)
  })

  it.each([
    'a{content:"{{V}}"}',
    "a{content:'\"{{V}}'}",
    'a{content:"\\"{{V}}"}',
    'a{content:"a\\\nb{{V}}"}',
    '/* {{V}} */',
    '/*/{{V}}',
    'a{background:url({{V}})}',
    'a{background:URL( {{V}} )}',
    'a{background:url(a\\){{V}})}',
    'a{background:url("{{V}}")}',
    "a{background:my-url('{{V}}')}",
    'a{b:\\{{V}}}',
    'a{content:"{{V}} and {{V}}"}',
  ])('takes none inside of a text, a comment or an address: %j', (rules) => {
    expect(placesIn(rules)).not.toContain(true)
  })
})
