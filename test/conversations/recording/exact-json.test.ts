import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromExactJson, toExactJson } from '../../../src/conversations/recording/exact-json.ts'

const leaf = fc.oneof(
  fc.anything({ maxDepth: 0, withDate: true, withBigInt: true }),
  fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY, undefined, new Date(Number.NaN)),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value')),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('$value', '__proto__', 'of')), tie('value'), {
      noNullPrototype: true,
    }),
  ),
}))

it('is read again as the very same plain data, whatever that holds', () => {
  fc.assert(
    fc.property(value, (data) => {
      expect(fromExactJson(JSON.parse(JSON.stringify(toExactJson(data))))).toStrictEqual(data)
    }),
  )
})
