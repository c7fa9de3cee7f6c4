import { describe, expect, it } from 'vitest'
import { bubble, leaving, variable } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { lint, lintBy } from '../../support/lint.ts'

const lost = (id: string, more: Json = {}) => ({ ...leaving(bubble(id), 'gone'), ...more })
const codesOf = (definition: Json, given = {}) => lint(definition, given).map(({ code }) => code)

describe('a finding', () => {
  it('names its place, its ids and the section about its rule', () => {
    expect(lintBy('dangling-edge', { blocks: [lost('a')] })).toEqual([
      {
        code: 'dangling-edge',
        severity: 'error',
        message: 'No edge has the id "gone": the path ends here.',
        hint: 'Add an edge of this id to `edges`, or name one that is there.',
        pointer: '/groups/0/blocks/0/outgoingEdgeId',
        groupId: 'g1',
        blockId: 'a',
        edgeId: 'gone',
        related: [],
        fix: {
          title: 'Delete the edge id',
          patch: [{ op: 'remove', path: '/groups/0/blocks/0/outgoingEdgeId' }],
        },
        docs: 'docs/rules.md#dangling-edge',
      },
    ])
  })

  it('quotes no more of a name than a reader needs', () => {
    const [finding] = lintBy('dangling-edge', { blocks: [leaving(bubble('a'), 'x'.repeat(5_000))] })
    expect(finding?.message.length).toBeLessThan(700)
  })
})

describe('a level', () => {
  const definition = { blocks: [lost('a')] }

  it('of off leaves a rule out', () => {
    expect(codesOf(definition, { options: { rules: { 'dangling-edge': 'off' } } })).not.toContain(
      'dangling-edge',
    )
  })

  it('replaces the severity', () => {
    const [finding] = lintBy('dangling-edge', definition, { options: { rules: { 'dangling-edge': 'info' } } })
    expect(finding).toMatchObject({ severity: 'info' })
  })

  it('leaves out what is less grave than asked for', () => {
    const options = { minSeverity: 'error', rules: { 'dangling-edge': 'warning' } } as const
    expect(lintBy('dangling-edge', definition, { options })).toEqual([])
  })
})

describe('a suppression', () => {
  const ignoring = (...ignore: string[]) => ({ lint: { ignore } })

  it('in a block spares the block, and no other', () => {
    const definition = { blocks: [bubble('a'), lost('b', ignoring('dangling-edge')), lost('c')] }
    expect(lintBy('dangling-edge', definition)).toMatchObject([{ blockId: 'c' }])
  })

  it('in a group spares what is in it, in a variable the variable', () => {
    const groups = [{ id: 'g1', title: 'G', blocks: [lost('a')], ...ignoring('dangling-edge') }]
    const variables = [variable('A'), { id: 'w', name: 'A', ...ignoring('duplicate-variable-name') }]
    const found = codesOf({ groups, variables })
    expect(found).not.toContain('dangling-edge')
    expect(found).not.toContain('duplicate-variable-name')
    expect(found).not.toContain('unused-suppression')
  })

  it('that spares nothing is found, with its deletion as a fix', () => {
    const path = '/groups/0/blocks/0/lint/ignore/1'
    const definition = { blocks: [lost('a', ignoring('dangling-edge', 'no-start'))] }
    expect(lint(definition).filter(({ code }) => code === 'unused-suppression')).toMatchObject([
      { severity: 'info', pointer: path, fix: { patch: [{ op: 'remove', path }] } },
    ])
  })

  it('is left alone where its rule is off, or where it is none', () => {
    const off = { options: { rules: { 'no-start': 'off' } } }
    expect(codesOf({ blocks: [{ ...bubble('a'), ...ignoring('no-start') }] }, off)).not.toContain(
      'unused-suppression',
    )
    for (const broken of [null, 7, { ignore: 'all' }, { ignore: [7] }]) {
      expect(codesOf({ blocks: [lost('a', { lint: broken })] })).toContain('dangling-edge')
    }
  })
})

describe('a check of very much', () => {
  const blocks = Array.from({ length: 1_500 }, (_, index) => lost(`b${index}`))

  it('lists a thousand findings, and says that there are more', () => {
    const found = lint({ blocks })
    expect(found).toHaveLength(1_001)
    expect(found.at(-1)).toMatchObject({ code: 'not-all-checked', severity: 'info' })
  })

  it('lists a megabyte of them at most, whatever names they quote', () => {
    const id = 'x'.repeat(5_000)
    const found = lint({ blocks: blocks.map((block) => ({ ...block, outgoingEdgeId: id })) })
    expect(found.length).toBeLessThan(500)
    expect(JSON.stringify(found).length).toBeLessThan(1_100_000)
  })

  it('ends when its time is over', () => {
    let asked = 0
    const found = lint({ blocks }, { options: { isOver: () => ++asked > 100 } })
    expect(found.length).toBeLessThan(200)
    expect(found.at(-1)).toMatchObject({ code: 'not-all-checked' })
  })
})
