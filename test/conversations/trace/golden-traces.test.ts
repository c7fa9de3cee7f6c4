import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TurnTrace } from '../../../schemas/trace.ts'
import type { RecordingFile } from '../../../src/conversations/recording/recording-file.ts'
import type { Json } from '../../support/json.ts'
import { trusted } from '../../support/preview-request.ts'
import { sandbox } from '../../support/sandbox.ts'
import { beginPreview } from '../../support/start.ts'

// The whole traces of conversations with the sample flows, byte by byte. Where a flow, or on purpose what a trace tells,
// has changed, `npx vitest run test/conversations/trace/golden-traces.test.ts --update` writes them anew.

const flowFolder = join(import.meta.dirname, '../../../flows')
const flows = new Map(
  readdirSync(flowFolder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file.replace('.json', ''), readJson(join(flowFolder, file))]),
)

function readJson(path: string): Json {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** What the visitor of a recorded conversation sent, turn by turn. */
function requestsOf(name: string): Json[] {
  const path = join(import.meta.dirname, '../../tooling/replay/recordings', `${name}-1.recording.json`)
  return (readJson(path) as unknown as RecordingFile).turns.map(({ request }) => request as Json)
}

/** Each edge that was taken is one of the flow, and leads to the group of the next step. */
function checkEdges(traces: readonly TurnTrace[], definition: Json): void {
  const edges = definition['edges'] as { id: string; to: { groupId: string } }[]
  for (const { steps } of traces) {
    for (const [nth, { went }] of steps.slice(0, -1).entries()) {
      const { edgeId } = went.at(-1) ?? {}
      if (edgeId === undefined) continue
      const { to } = edges.find(({ id }) => id === edgeId)!
      expect(to.groupId).toBe(steps[nth + 1]?.block.groupId)
    }
  }
}

it.each([...flows])('the turns of %s are traced as ever', async (name, definition) => {
  const [first, ...others] = requestsOf(name)
  const body = { ...first, trace: true }
  const world = { linked: [...flows.values()], random: [0.2, 0.7, 0.4, 0.9], chat: { sandbox } }
  const session = await beginPreview({ definition, body, ...world }, trusted)
  const traces = [session.response['trace']]
  for (const request of others) traces.push((await session.continue(request))['trace'])
  checkEdges(traces as TurnTrace[], definition)
  await expect(`${JSON.stringify(traces, null, 2)}\n`).toMatchFileSnapshot(`golden/${name}.trace.json`)
})
