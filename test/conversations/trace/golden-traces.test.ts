import { expect, it } from 'vitest'
import type { TraceStep, TurnTrace } from '../../../schemas/trace.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import type { Json } from '../../support/json.ts'
import { trusted } from '../../support/preview-request.ts'
import { sampleFlows, sampleRecording } from '../../support/sample-recordings.ts'
import { sandbox } from '../../support/sandbox.ts'
import { beginPreview } from '../../support/start.ts'

// The traces of conversations with the sample flows. What a turn shows is held against its response and the place of a step against
// the flow; the rest is kept byte by byte. Where a flow, or on purpose what a trace tells, has changed,
// `npx vitest run test/conversations/trace/golden-traces.test.ts --update` writes them anew.

/** What the visitor of a recorded conversation sent, turn by turn. */
const requestsOf = (name: string) => sampleRecording(`${name}-1`).turns.map(({ request }) => request as Json)

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

/** Steps show what the response does, but for the input of while a person answers. */
function checkShown(steps: readonly TraceStep[], { messages, input }: Json): void {
  expect(steps.flatMap(({ message }) => message ?? [])).toEqual(messages)
  const asked = steps.findLast((step) => step.input !== undefined)?.input
  if (asked || (input as Json | undefined)?.['id'] !== 'paused') expect(asked).toEqual(input)
}

/** The id of a block that the flow has where the step says. */
function idOf(
  { flowId, groupId, blockId, blockType, pointer }: TraceStep['block'],
  definition: Json,
): string {
  const [, group, block] = /^\/groups\/(\d+)\/blocks\/(\d+)$/.exec(pointer) ?? []
  const groups = definition['groups'] as { id: string; blocks: { id: string; type: string }[] }[]
  const { id, blocks } = groups[Number(group)]!
  const { id: ownId, type } = blocks[Number(block)]!
  expect({ flowId, groupId, blockId, blockType }).toEqual({
    flowId: definition['id'],
    groupId: id,
    blockId: ownId,
    blockType: type,
  })
  return blockId
}

function keptOf({ block, message: _, input: __, ms, ...step }: TraceStep, definition: Json) {
  expect(ms).toBe(0)
  return { block: idOf(block, definition), ...step }
}

const text = (value: unknown) =>
  typeof value === 'string' ? `'${JSON.stringify(value).slice(1, -1)}'` : JSON.stringify(value)

const isFlat = (value: unknown) => Object.values(Object(value)).every((field) => Object(field) !== field)

/** An outline of what happened: a line for each small thing, such as a comparison, a write, a piece of the way. */
function outline(name: string, value: unknown, indent = ''): string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((each) => outline(`- ${name}`, each, indent))
  if (typeof value !== 'object' || value === null) return [`${indent}${name}: ${text(value)}`]
  const fields = Object.entries(value)
  if (isFlat(value))
    return [`${indent}${name}: ${fields.map(([key, field]) => `${key} ${text(field)}`).join(', ')}`]
  return [`${indent}${name}:`, ...fields.flatMap(([key, field]) => outline(key, field, `${indent}  `))]
}

it.each([...sampleFlows])('the turns of %s are traced as ever', async (name, definition) => {
  const [first, ...others] = requestsOf(name)
  const body = { ...first, trace: true }
  const world = { linked: [...sampleFlows.values()], random: [0.2, 0.7, 0.4, 0.9], chat: { sandbox } }
  const session = await beginPreview({ definition, body, ...world }, trusted)
  const responses = [session.response]
  for (const request of others) responses.push(await session.continue(request))
  const traces = responses.map(({ trace }) => trace as TurnTrace)
  checkEdges(traces, definition)
  const kept = traces.map(({ steps, turn, flow, startedAt, engineMs, wallMs, ...rest }, nth) => {
    expect({ turn, flow, startedAt, engineMs, wallMs }).toEqual({
      turn: nth + 1,
      flow: { id: definition['id'], hash: traces[0]!.flow.hash },
      startedAt: new Date(fixedNow).toISOString(),
      engineMs: 0,
      wallMs: 0,
    })
    checkShown(steps, responses[nth]!)
    return { ...rest, steps: steps.map((step) => keptOf(step, definition)) }
  })
  await expect(`${outline('turns', kept).join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.trace.txt`)
})
