import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../../src/blocks/index.ts'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { compileFlow } from '../../src/engine/compile/compile-flow.ts'
import { neighbourOf } from '../../src/tooling/lint/model/neighbours.ts'
import { arbitraryFlow } from '../support/arbitrary-flow.ts'
import type { Json } from '../support/json.ts'
import { lintWhole } from '../support/lint.ts'
import { type Walked, walkFlow } from '../support/walk-flow.ts'

/** Logs that say something is missing in the definition, with the rules of which one must have said so before. */
const structuralLogs: readonly (readonly [log: RegExp, ...codes: readonly string[]])[] = [
  [/^Edge ".*" does not exist: the path ends here$/s, 'dangling-edge'],
  [/^Group ".*" does not exist: nothing follows$/s, 'missing-group'],
  [/^Block ".*" is not in its group/s, 'missing-block'],
  [/^Block type ".*" is unknown to this server/s, 'unknown-block-type'],
  [/^The group to jump to does not exist$/, 'jump-target-missing'],
  [/^The block to jump to is not in its group$/, 'jump-target-missing'],
  [/^Flow link could not be followed$/, 'link-missing', 'jump-target-missing'],
]

/** What only a conversation knows is beyond what can be said before it: a group that no jump or link names literally. */
function isDynamic(details: string | undefined, flows: readonly Json[]): boolean {
  const [, wanted] = /"groupIdOrTitle":("(?:[^"\\]|\\.)*")/.exec(details ?? '') ?? []
  if (wanted === undefined) return details?.includes('{{') === true
  return !JSON.stringify(flows).includes(`"groupId":${wanted}`)
}

const replies = fc.array(fc.constantFrom(undefined, 'x', '5', 'a@b.example', '2026-01-01', 'p', 'i1'), {
  maxLength: 4,
})

function logsOf(definition: Json, other: Json, said: readonly (string | undefined)[]) {
  const seen: Walked['output']['logs'][number][] = []
  try {
    let walked = walkFlow(definition, { linked: [other] })
    seen.push(...walked.output.logs)
    for (const reply of said) {
      walked = walked.reply(reply)
      seen.push(...walked.output.logs)
    }
  } catch {
    // A reply that breaks the agreement with its block is refused; what was said until then counts.
  }
  return seen
}

describe('the linter is sound', () => {
  it('what a conversation leaves a structural log about was found before', () => {
    let checked = 0
    fc.assert(
      fc.property(arbitraryFlow, arbitraryFlow, replies, (definition, second, said) => {
        const other = { ...second, id: 'other' } as Json
        const flow = readDefinition(other)
        const program = compileFlow(flow, blockRegistry, 'other')
        const neighbour = neighbourOf({
          flow,
          program,
          publicId: 'other',
          isClosed: false,
          isArchived: false,
        })
        const surroundings = { findFlow: (name: string) => (name === 'other' ? neighbour : undefined) }
        const find = (one: Json) => lintWhole(one, { surroundings }).map(({ code }) => code)
        const found = new Set([...find(definition as Json), ...find(other)])
        for (const { description, details } of logsOf(definition as Json, other, said)) {
          const [, ...codes] = structuralLogs.find(([pattern]) => pattern.test(description)) ?? []
          if (codes.length === 0 || isDynamic(details, [definition, other])) continue
          checked += 1
          expect({ description, details, found: codes.some((code) => found.has(code)) }).toMatchObject({
            found: true,
          })
        }
      }),
      { numRuns: 300 },
    )
    // Mostly a thousand; the fewest that were seen are 97.
    expect(checked).toBeGreaterThan(20)
  })
})
