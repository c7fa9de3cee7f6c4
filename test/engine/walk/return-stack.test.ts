import { describe, expect, it } from 'vitest'
import { bubble, edge, group, leaving, textInput } from '../../fixtures/short-flows.ts'
import type { Json } from '../../support/json.ts'
import { walkFlow } from '../../support/walk-flow.ts'

const jump = (id: string, groupId: string) => ({ id, type: 'Jump', options: { groupId } })
const back = (id = 'r') => ({ id, type: 'Return' })
const link = (id: string, flowId: string, groupId: string) => ({
  id,
  type: 'Flow link',
  options: { flowId, groupId },
})
const marksOf = ({ conversation }: ReturnType<typeof walkFlow>) =>
  conversation.returnStack.map(({ frameDepth, block }) => `${block.id} at ${frameDepth}`)

/** Jumps from group to group, and waits in the last. */
const nested = {
  groups: [
    group('g1', jump('j1', 'g2'), bubble('one')),
    group('g2', jump('j2', 'g3'), bubble('two')),
    group('g3', jump('j3', 'g4'), bubble('three')),
    group('g4', textInput('i'), back()),
  ],
}

describe('a jump', () => {
  it('remembers the block below it, the last jump last', () => {
    expect(marksOf(walkFlow(nested))).toEqual(['one at 0', 'two at 0', 'three at 0'])
  })

  it('forgets the oldest when there are too many', () => {
    expect(marksOf(walkFlow(nested, { limits: { returnMarks: 3 } }))).toHaveLength(3)
    expect(marksOf(walkFlow(nested, { limits: { returnMarks: 2 } }))).toEqual(['two at 0', 'three at 0'])
  })

  it('remembers the block below rather than its own edge, which counts behind the last block of a group', () => {
    const marksWith = (...below: Json[]) =>
      marksOf(
        walkFlow({
          groups: [
            group('g1', leaving(jump('j', 'g2'), 'e'), ...below),
            group('g2', textInput('i')),
            group('g3', bubble('x'), bubble('y')),
          ],
          edges: [edge('e', 'g3', 'y')],
        }),
      )
    expect(marksWith(bubble('below'))).toEqual(['below at 0'])
    expect(marksWith()).toEqual(['y at 0'])
  })

  it('remembers nothing when nothing would follow', () => {
    const marksWith = (...edges: object[]) =>
      marksOf(
        walkFlow({
          groups: [group('g1', leaving(jump('j', 'g2'), 'e')), group('g2', textInput('i')), group('g3')],
          edges,
        }),
      )
    expect(marksWith()).toEqual([])
    expect(marksWith(edge('e', 'g3'))).toEqual([])
    expect(marksWith(edge('e', 'gone'))).toEqual([])
  })
})

describe('a return', () => {
  it('takes back one mark at a time, the last first', () => {
    const definition = {
      groups: [
        group('g1', jump('j1', 'g2'), bubble('one'), textInput('i')),
        group('g2', jump('j2', 'g3'), bubble('two'), back()),
        group('g3', back('r3')),
      ],
    }
    const walked = walkFlow(definition)
    expect(walked.texts).toEqual(['two', 'one'])
    expect(marksOf(walked)).toEqual([])
  })

  it('goes on below when the mark was forgotten', () => {
    const definition = {
      groups: [group('g1', jump('j', 'g2'), bubble('one')), group('g2', back(), bubble('below'))],
    }
    expect(walkFlow(definition, { limits: { returnMarks: 1 } }).texts).toEqual(['one'])
    expect(walkFlow({ groups: [group('g2', back(), bubble('below'))] }).texts).toEqual(['below'])
  })

  it('leaves the flows that were linked since the jump', () => {
    const linked = [{ id: 'b', groups: [group('g1', bubble('b'), back()), group('g2', bubble('never'))] }]
    const definition = {
      id: 'a',
      groups: [
        group('g1', jump('j', 'g2'), bubble('one')),
        group('g2', link('l', 'b', 'g1'), bubble('behind')),
      ],
    }
    const walked = walkFlow(definition, { linked })
    expect(walked.texts).toEqual(['b', 'one'])
    expect(walked.conversation.frames.map(({ program }) => program.id)).toEqual(['a'])
    expect(walked.output.finished.map(({ program }) => program.id)).toEqual(['b'])
  })

  it('leaves two flows that were linked since the jump', () => {
    const linked = [
      { id: 'b', groups: [group('g1', link('lb', 'c', 'g1'), bubble('never'))] },
      { id: 'c', groups: [group('g1', back())] },
    ]
    const definition = {
      id: 'a',
      groups: [group('g1', jump('j', 'g2'), bubble('one')), group('g2', link('l', 'b', 'g1'))],
    }
    const walked = walkFlow(definition, { linked })
    expect(walked.texts).toEqual(['one'])
    expect(walked.output.finished.map(({ program }) => program.id)).toEqual(['c', 'b'])
  })
})

describe('a mark inside a linked flow', () => {
  const inner = {
    id: 'b',
    groups: [group('g1', jump('j', 'g2'), bubble('never')), group('g2', textInput('i'), bubble('end'))],
  }
  const outer = {
    id: 'a',
    groups: [
      group('g0', jump('j0', 'g1'), bubble('zero')),
      group('g1', link('l', 'b', 'g1'), bubble('one'), back()),
    ],
  }

  it('stands at the height of its flow', () => {
    expect(marksOf(walkFlow(outer, { linked: [inner] }))).toEqual(['zero at 0', 'never at 1'])
  })

  it('is forgotten when its flow ends, and the marks of the flow below are not', () => {
    const walked = walkFlow(outer, { linked: [inner] }).reply('x')
    expect(walked.texts).toEqual(['end', 'one', 'zero'])
    expect(marksOf(walked)).toEqual([])
  })

  it('leads back without leaving its flow', () => {
    const staying = {
      ...inner,
      groups: [group('g1', jump('j', 'g2'), bubble('again'), textInput('k')), group('g2', back())],
    }
    const walked = walkFlow(outer, { linked: [staying] })
    expect(walked.texts).toEqual(['again'])
    expect(walked.conversation.frames).toHaveLength(2)
  })
})
