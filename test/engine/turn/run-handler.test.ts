import { describe, expect, it } from 'vitest'
import { blockOf } from '../../../schemas/common.ts'
import type { Input } from '../../../schemas/input.ts'
import { blockRegistry } from '../../../src/blocks/index.ts'
import { type BlockHandler, defineBlock } from '../../../src/engine/model/block-handler.ts'
import { JsonFragment } from '../../../src/engine/templates/json-fragment.ts'
import { bubble } from '../../fixtures/short-flows.ts'
import { walkFlow } from '../../support/walk-flow.ts'

const broken = () => {
  throw new Error('broken')
}

/** An input of which one part throws. */
function probe(part: Partial<BlockHandler>) {
  const input = new JsonFragment({ id: 'p', type: 'text input' } as Input)
  const handler = defineBlock({
    schema: blockOf('probe', {}),
    kind: 'input',
    compile: () => ({}),
    run: () => ({ input, next: { to: 'wait' } }),
    ...part,
  })
  return new Map([...blockRegistry, ['probe', handler]])
}

const definition = { blocks: [{ id: 'p', type: 'probe' }, bubble('next')] }
const place = 'Block "p" (probe) in group "Group 1" (g1)'

describe('a handler that throws', () => {
  it('over a reply is passed by, with a log and a defect', () => {
    const { output, texts } = walkFlow(definition, { registry: probe({ reply: broken }), message: 'x' })
    expect(texts).toEqual(['next'])
    expect(output.logs).toEqual([
      { status: 'error', description: 'A block failed and was skipped', details: place },
    ])
    expect(output.defects.map(({ block }) => block.id)).toEqual(['p'])
  })

  it('over the text of a refusal leaves the text of the flow', () => {
    const registry = probe({
      reply: () => ({ outcome: 'refused', rule: 'it is late' }),
      retryMessage: broken,
    })
    const { output, texts } = walkFlow(definition, { registry, message: 'x' })
    expect(texts).toEqual(['Invalid message. Please, try again.'])
    expect(output.defects).toHaveLength(1)
    expect(output.input?.value.id).toBe('p')
  })

  it('over a line of the transcript leaves the line out', () => {
    const text = blockRegistry.get('text')
    const silent = { ...text, transcriptLine: broken, needsTranscript: () => true } as BlockHandler
    const registry = new Map([...blockRegistry, ['text', silent]])
    const { conversation, output, texts } = walkFlow({ blocks: [bubble('a')] }, { registry })
    expect([texts, conversation.transcript]).toEqual([['a'], []])
    expect(output.defects).toHaveLength(1)
  })
})
