import { FlowTestFile } from '../../../schemas/flow-test.ts'
import { Mocks } from '../../../schemas/mocks.ts'
import { problemsOfMocks, ruleKinds } from '../../conversations/effects/mocks/read-mocks.ts'
import { createLazyValidator } from '../../definition/lazy-validator.ts'
import { toProblems } from '../../definition/problems.ts'
import type { Problem } from '../../lib/errors.ts'
import type { YamlPlaces } from '../../ports/yaml-reader-port.ts'

const check = createLazyValidator()(FlowTestFile)

const kinds = ['steps', 'golden', 'explore'] as const

/** Problems of a file of tests, by pointers into it; empty for one that can be run. */
export function problemsOfTests(file: unknown): readonly Problem[] {
  if (!check.accepts(file)) return toProblems(check.errorsOf(file))
  const tests = file as FlowTestFile
  // Its rules stand at the top of a file.
  const ofMocks = [...problemsOfMocks(mocksOf(tests))].map(({ pointer, message }) => ({
    pointer: pointer.replace('/mocks', ''),
    message,
  }))
  const passing = ruleKinds.flatMap((kind) =>
    (tests[kind] ?? []).flatMap(({ pass }, index): Problem[] =>
      pass
        ? [{ pointer: `/${kind}/${index}/pass`, message: 'is for previews: tests reach nothing outside' }]
        : [],
    ),
  )
  const ofTests = tests.tests.flatMap((test, index): Problem[] => {
    const given = kinds.filter((kind) => test[kind] !== undefined)
    const pointer = `/tests/${index}`
    if (given.length !== 1)
      return [{ pointer, message: "must have one of 'steps', 'golden' and 'explore', and no other" }]
    if (test.says && !test.golden) return [{ pointer: `${pointer}/says`, message: "belongs to 'golden'" }]
    if (test.expect && !test.explore)
      return [{ pointer: `${pointer}/expect`, message: "belongs to 'explore'" }]
    return []
  })
  return [...ofMocks, ...passing, ...ofTests]
}

/** The world that a file describes; what no rule fits fails there unless it says otherwise. */
export function mocksOf(file: FlowTestFile): Mocks {
  const names = Object.keys(Mocks.properties)
  const given = Object.fromEntries(Object.entries(file).filter(([name]) => names.includes(name)))
  return { unmatched: 'fail', ...given }
}

/** Place of a pointer's target; a target that is absent has the place of its parent. */
export function placeIn(places: YamlPlaces, pointer: string): string {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const place = places.get(at)
    if (place !== undefined) return place
  }
  return '1:1'
}
