import { describe, expect, it } from 'vitest'
import { ErrorBody } from '../../schemas/error.ts'
import { problemsIn } from './problems-in.ts'

const [example] = ErrorBody['examples'] as [Record<string, unknown>]

describe('the body of an error', () => {
  it('is as in the example', () => {
    expect(problemsIn(ErrorBody, example)).toEqual([])
  })

  it.each(['type', 'title', 'status', 'detail', 'code', 'message'])('always has %s', (field) => {
    const { [field]: _, ...rest } = example
    expect(problemsIn(ErrorBody, rest)).toEqual([
      { pointer: '', message: `must have required property '${field}'` },
    ])
  })

  it.each([
    [{ status: 200 }, '/status'],
    [{ code: 'bad request' }, '/code'],
    [{ errors: [{ message: 'x' }] }, '/errors/0'],
    [{ stack: 'x' }, '/stack'],
  ])('never holds %j', (wrong, pointer) => {
    expect(problemsIn(ErrorBody, { ...example, ...wrong }).map((problem) => problem.pointer)).toEqual([
      pointer,
    ])
  })
})
