import { describe, expect, it } from 'vitest'
import { blockRegistry } from '../../../src/blocks/index.ts'
import type { BlockHandler } from '../../../src/engine/model/block-handler.ts'
import type { Step } from '../../../src/engine/model/step.ts'
import { describeDivergence } from '../../../src/tooling/replay/divergence.ts'
import { checkRecording, compileRecorded } from '../../../src/tooling/replay/recorded-file.ts'
import { replayRecording } from '../../../src/tooling/replay/replay-recording.ts'
import { sampleNames, sampleRecording } from '../../support/sample-recordings.ts'

const recordings = sampleNames.map((name) => ({ name, file: checkRecording(sampleRecording(name)) }))

/** The engine with one handler that does otherwise. */
function changed(type: string, change: (handler: BlockHandler) => Partial<BlockHandler>) {
  const handler = blockRegistry.get(type)
  if (!handler) throw new Error(`no block is called ${type}`)
  return new Map([...blockRegistry, [type, { ...handler, ...change(handler) }]])
}

async function divergencesUnder(registry: typeof blockRegistry): Promise<string[]> {
  const replays = recordings.map(async ({ file }) => {
    const { divergence } = await replayRecording(file, { programs: compileRecorded(file, { registry }) })
    return divergence ? [describeDivergence(divergence, file)] : []
  })
  return (await Promise.all(replays)).flat()
}

describe('the recorded conversations of the sample flows', () => {
  it.each(recordings)('$name is the same, byte by byte', async ({ file }) => {
    expect(
      (await replayRecording(file, { programs: compileRecorded(file, { registry: blockRegistry }) }))
        .divergence,
    ).toBeUndefined()
  })

  it.each<[string, string, (handler: BlockHandler) => Partial<BlockHandler>, RegExp]>([
    [
      'text',
      'shows nothing',
      () => ({ run: () => ({}) }),
      /at block ".*" \(text\) .*response differs at \/messages/,
    ],
    [
      'Condition',
      'never holds',
      () => ({ run: () => ({}) }),
      /at block ".*" \(Condition\) .*the walk went to/,
    ],
    ['Set variable', 'forgets', () => ({ run: () => ({}) }), /at block/],
    [
      'email input',
      'says more',
      ({ run }) => ({
        run: (compiled, context) => ({
          ...(run(compiled, context) as Step),
          logs: [{ audience: 'visitors', status: 'info', description: 'new' }],
        }),
      }),
      /response differs at \/logs/,
    ],
    ['choice input', 'does not wait', () => ({ run: () => ({}) }), /\(choice input\)/],
  ])('tell that a release has changed what %s does: it %s', async (type, _, change, expected) => {
    const divergences = await divergencesUnder(changed(type, change))
    expect(divergences).not.toEqual([])
    for (const divergence of divergences) expect(divergence).toMatch(/^turn \d+ diverges /)
    expect(divergences.some((divergence) => expected.test(divergence))).toBe(true)
  })

  it('part where a turn leaves another session, though it answers the same', async () => {
    const { file } = recordings[0]!
    const turns = file.turns.map((turn, index) => (index === 0 ? { ...turn, left: 'another' } : turn))
    const programs = compileRecorded(file, { registry: blockRegistry })
    const { divergence } = await replayRecording({ ...file, turns }, { programs })
    expect(divergence).toEqual({
      turn: 1,
      blockId: turns[0]!.blocks.at(-1),
      what: 'what the session remembers is no longer the same',
    })
  })

  it('part where a changed flow does otherwise, and nowhere before', async () => {
    const { file } = recordings.find(({ name }) => name === 'support-triage-1')!
    const text = JSON.stringify(file.definitions[file.start.program])
    const lastShown = file.turns.at(-1)!.blocks.at(-1)!
    const definition = JSON.parse(text.replaceAll(`"id":"${lastShown}"`, '"id":"renamed"'))
    const { divergence, turns } = await replayRecording(file, {
      programs: compileRecorded(file, { registry: blockRegistry, definition }),
      isChanged: true,
    })
    expect(divergence?.turn).toBe(file.turns.length)
    expect(divergence?.what).toBe(`the walk went to "${lastShown}", and goes to "renamed"`)
    expect(turns).toHaveLength(file.turns.length)
  })
})
