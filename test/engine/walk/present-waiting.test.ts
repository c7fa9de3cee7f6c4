import { describe, expect, it } from 'vitest'
import { textInput } from '../../fixtures/short-flows.ts'
import { walkFlow } from '../../support/walk-flow.ts'

describe('what a conversation waits for, said again', () => {
  it('holds what code in its texts has come to, as the turn showed it', () => {
    const code = '(() => { class Answer { value = 42 }; return new Answer().value })()'
    const input = { ...textInput('i1'), options: { labels: { placeholder: `n {{= ${code} =}}` } } }
    const evaluate = () => ({ ok: true, value: 42, assigned: [] }) as const
    const shown = walkFlow({ blocks: [input] }, { effects: { evaluate } })
    expect(shown.output.input?.value).toMatchObject({ options: { labels: { placeholder: 'n 42' } } })
    const { output } = shown.look()
    expect(output.input?.value).toEqual(shown.output.input?.value)
    expect(output.logs).toEqual([])
  })
})
