import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileExpression } from '../../../src/engine/javascript/create-code.ts'
import { evaluate } from '../../../src/engine/javascript/evaluate.ts'
import { compileResponsePath } from '../../../src/engine/javascript/response-path/response-path.ts'
import { ResponseReader } from '../../../src/engine/javascript/response-path/response-reader.ts'
import type { CodeResult } from '../../../src/engine/model/effect-payloads.ts'
import { parseTemplate } from '../../../src/engine/templates/parse-template.ts'
import { expression, path } from './arbitrary-expression.ts'
import { settleCode, worldOf } from './code-world.ts'

const { table, scope } = worldOf(
  { A: '7', B: 'Ann', C: ['x', null, '3'], D: null },
  {},
  Number.POSITIVE_INFINITY,
)
const values = { vA: 7, vB: 'Ann', vC: ['x', null, '3'], vD: undefined }

/** JSON as a client sends it. */
const data = JSON.parse(
  '{"items":[{"n":"a","tags":["p","q"]},{"n":null,"tags":[]},{"tags":["r"]}],"total":3,"odd key":"K",' +
    '"__proto__":{"n":1},"constructor":"c","length":2,"text":{"toString":1},"number":{"valueOf":1}}',
)

/** What the engine of the tests makes of the code. */
function inHost(
  source: string,
  given: Record<string, unknown> = values,
): { ok: true; value: unknown } | { ok: false } {
  try {
    const text = source.replaceAll(/\{\{(\w)\}\}/g, 'v$1')
    return {
      ok: true,
      value: new Function(...Object.keys(given), `return ${text}`)(...Object.values(given)),
    }
  } catch {
    return { ok: false }
  }
}

const beyond: CodeResult = { ok: false, message: 'beyond the engine', reason: 'busy' }

describe('ResponseReader', () => {
  it('yields what a whole engine yields, or says that it takes one', () => {
    const response = { statusCode: 200, data }
    fc.assert(
      fc.property(path, (source) => {
        const prepared = compileResponsePath(source, parseTemplate(source, table))
        const evaluated = settleCode(new ResponseReader(response, scope).read(prepared), () => beyond)
        if (!evaluated.ok && evaluated.needsSandbox) return
        const expected = inHost(source, { ...values, ...response, response })
        expect(evaluated.ok).toBe(expected.ok)
        if (evaluated.ok && expected.ok) expect(evaluated.value).toEqual(expected.value)
      }),
      { numRuns: 1200 },
    )
  })
})

describe('evaluate', () => {
  it('yields what a whole engine yields, or says that it takes one', () => {
    fc.assert(
      fc.property(expression, (source) => {
        const evaluated = evaluate(compileExpression(source, parseTemplate(source, table)), scope)
        if (!evaluated.ok && evaluated.needsSandbox) return
        const expected = inHost(source)
        expect(evaluated.ok).toBe(expected.ok)
        if (evaluated.ok && expected.ok) expect(evaluated.value).toEqual(expected.value)
      }),
      { numRuns: 1200 },
    )
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (source) => {
        const evaluated = evaluate(compileExpression(source, parseTemplate(source, table)), scope)
        expect(typeof evaluated.ok).toBe('boolean')
      }),
      { numRuns: 800 },
    )
  })
})
