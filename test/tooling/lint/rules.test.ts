import { describe, expect, it } from 'vitest'
import { rules } from '../../../src/tooling/lint/rules/index.ts'
import { lintBy } from '../../support/lint.ts'
import { calls } from './cases/calls.ts'
import { code } from './cases/code.ts'
import { graph } from './cases/graph.ts'
import { inputs } from './cases/inputs.ts'
import { links } from './cases/links.ts'
import { paths } from './cases/paths.ts'
import { publication } from './cases/publication.ts'
import { texts } from './cases/texts.ts'
import { timers } from './cases/timers.ts'
import { translations } from './cases/translations.ts'
import { variables } from './cases/variables.ts'

const cases = [
  ...graph,
  ...paths,
  ...timers,
  ...links,
  ...variables,
  ...texts,
  ...translations,
  ...inputs,
  ...calls,
  ...code,
  ...publication,
]

/** What no flow shows: a test of its own does. */
const shownElsewhere = ['invalid-definition', 'not-all-checked', 'unused-suppression']

describe.each(cases)('$code', ({ code: rule, finds, spares, surroundings }) => {
  const found = (definition: (typeof spares)[number]) =>
    lintBy(rule, definition, surroundings && { surroundings }).map(({ pointer }) => pointer)

  it.each(finds.map((one, index) => [index + 1, ...one] as const))(
    'finds %i',
    (_, definition, ...pointers) => {
      expect(found(definition)).toEqual(pointers)
    },
  )

  it.each(spares.map((one, index) => [index + 1, one] as const))('spares %i', (_, definition) => {
    expect(found(definition)).toEqual([])
  })
})

it('shows every rule finding and not finding', () => {
  const shown = cases.filter(({ finds, spares }) => finds.length > 0 && spares.length > 0)
  expect([...new Set(shown.map((one) => one.code)), ...shownElsewhere].sort()).toEqual(
    rules.map((rule) => rule.code).sort(),
  )
})
