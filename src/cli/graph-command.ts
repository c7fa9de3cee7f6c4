import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Block } from '../../schemas/blocks/index.ts'
import type { Flow } from '../../schemas/flow.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import { problemsOf } from '../lib/errors.ts'
import { labelOf } from '../tooling/flow-graph/block-label.ts'
import { readGraph } from '../tooling/flow-graph/graph-model.ts'
import { asRecord } from '../tooling/flow-graph/loose-json.ts'
import { placeNodes } from '../tooling/flow-graph/place-nodes.ts'
import { readTraffic, type Traffic, undrawn } from '../tooling/flow-graph/traffic.ts'
import { exitCodes, type Run, UsageError } from './command.ts'
import { drawSvg } from './graph-files/draw-svg.ts'
import { linesOfProblems, readFlowSource } from './input/flow-source.ts'
import { readNamedFile } from './input/read-text-file.ts'
import { say } from './output/plain-text.ts'

/** Text of `graph --help`. */
export const help = (): string => `Usage: flow-runtime graph FLOW [--analytics FILE] [--out FILE]

Draws a flow as an SVG picture for documents and reviews: its groups with the first words of their blocks and the choices
that lead somewhere, as /try shows them. Groups stand where the file says, else in columns. The picture follows the light
or dark of who looks at it, and loads nothing.

  --analytics FILE  what GET /v1/flows/{publicId}/analytics answered, for its traffic: the width of a line is how many
                    went along it, beside that their share of all conversations; who waits at a block, and which share
                    of those who were asked there has left
  --out FILE        where the picture goes; else the standard output

Exits with 0 when all is well, 1 when a file is no flow or does not hold the analytics of that flow, 2 when it was called in
another way. What was counted of other versions, and has no place in the picture, is said on the standard error.
`

export const run: Run = async (args, console) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { analytics: { type: 'string' }, out: { type: 'string' } },
    allowPositionals: true,
  })
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0) throw new UsageError('graph needs the file of one flow')
  const source = await readFlowSource(path)
  const { flow } = source
  for (const line of linesOfProblems(source)) say(console.warn, line)
  if (!flow) return exitCodes.failed
  const { analytics, out } = values
  try {
    const traffic = analytics === undefined ? undefined : await readTrafficOf(analytics, flow)
    const graph = readGraph(flow, labelsOf(flow))
    const gone = traffic ? undrawn(traffic, { blocks: blocksOf(flow), edges: graph.edges }) : []
    if (gone.length > 0)
      say(
        console.warn,
        `${analytics}: ${gone.join(' and ')} of it not in ${path}, but of other versions: ${oneVersion}`,
      )
    const picture = drawSvg(placeNodes(graph), { name: flow.name ?? path, traffic })
    if (out === undefined) console.print(picture)
    else await writeFile(out, picture)
    return exitCodes.fine
  } catch (error) {
    if (!(error instanceof AnalyticsError)) throw error
    say(console.warn, error.message)
    return exitCodes.failed
  }
}

const oneVersion = 'ask for the analytics of one with ?version='

/** Why a file does not hold the analytics of a flow. */
class AnalyticsError extends Error {
  override readonly name = 'AnalyticsError'
}

async function readTrafficOf(path: string, flow: Flow): Promise<Traffic> {
  const text = await readNamedFile(path)
  try {
    return asTraffic(parseDefinition(text), flow)
  } catch (error) {
    const [problem] = problemsOf(error)
    throw new AnalyticsError(`${path}: ${problem?.message}`, { cause: error })
  }
}

const blocksOf = ({ groups }: Flow) =>
  new Map(groups.flatMap((group): readonly Block[] => group.blocks).map((block) => [block.id, block]))

function labelsOf(flow: Flow): ReadonlyMap<string, { readonly label: string }> {
  return new Map([...blocksOf(flow)].map(([id, block]) => [id, { label: labelOf(asRecord(block)) }]))
}

function asTraffic(analytics: unknown, { id }: Flow): Traffic {
  const { flowId, blocks, edges } = asRecord(analytics)
  if (typeof flowId !== 'string' || !Array.isArray(blocks) || !Array.isArray(edges))
    throw new Error('is not what GET /v1/flows/{publicId}/analytics answers')
  if (flowId !== id) {
    const [counted, drawn] = [flowId, id].map((name) => JSON.stringify(name))
    throw new Error(
      `counts the flow ${counted}, and ${drawn} is to be drawn: ask for the analytics of that one`,
    )
  }
  return readTraffic(analytics)
}
