import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { FlowLinkBlock } from '../../../schemas/blocks/logic.ts'
import type { Flow } from '../../../schemas/flow.ts'
import { isOf } from '../../../schemas/tagged-union.ts'
import { flowFileName, isYamlFlow, yamlEnding } from '../../definition/read-flow-text.ts'
import { writeYaml } from '../../tooling/write-yaml/write-yaml.ts'
import { type Console, exitCodes, type Run, UsageError } from '../command.ts'
import { findFiles } from '../input/find-files.ts'
import { type FlowSource, linesOfProblems, readFlowSource } from '../input/flow-source.ts'
import { say } from '../output/plain-text.ts'
import { NamesInTests } from './named-in-tests.ts'

/** Text of `convert --help`. */
export const help =
  (): string => `Usage: flow-runtime convert FILE|FOLDER … [--keep-ids] [--out FOLDER] [--force]

Writes flows in their other form, under the same name: a *.json as *${yamlEnding}, and a *${yamlEnding} as *.json. A folder
stands for its *.json, or its *${yamlEnding} where it has no other. Both forms behave the same (docs/yaml.md). The file that was read stays: of two files of one flow one
has to go.

  --keep-ids    keep the ids of all groups, blocks, items, variables and events; else only those that something names,
                in the flow, in flows that enter it, or in the *.flowtest.yaml beside it.
                Without it sessions that are under way start anew, and what was counted keeps its former names
  --out FOLDER  where the files go; it is made when it is missing; else beside those that were read
  --force       replace files that are there

Exits with 0 when all is well, 1 when a file can not be taken, 2 when it was called in another way.
`

export const run: Run = async (args, console) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { 'keep-ids': { type: 'boolean' }, out: { type: 'string' }, force: { type: 'boolean' } },
    allowPositionals: true,
  })
  const { out, force: isForced = false, 'keep-ids': keepsIds = false } = values
  if (positionals.length === 0) throw new UsageError('convert needs a file or a folder')
  const paths = (await Promise.all(positionals.map(filesIn))).flat()
  const sources: ReadSource[] = []
  for (const path of paths) sources.push(...(await readSource(path, console)))
  if (out !== undefined) await mkdir(out, { recursive: true })
  const named = { linked: groupsLinkedTo(sources.map(({ flow }) => flow)), tests: new NamesInTests() }
  let written = 0
  for (const source of sources) {
    const { path, flow, definition } = source
    console.workingOn?.(path)
    const isYaml = isYamlFlow(path)
    const target = join(out ?? dirname(path), `${flowFileName(path)}${isYaml ? '.json' : yamlEnding}`)
    const text = isYaml
      ? `${JSON.stringify(definition, null, 2)}\n`
      : writeYaml(flow, { keepsIds, namedElsewhere: await namesOf(source, named, console) })
    written += await writeTarget({ path, target, text, isForced }, console)
  }
  return written === paths.length ? exitCodes.fine : exitCodes.failed
}

type ReadSource = FlowSource & { readonly flow: Flow }

/** Nothing for a file that is no flow, which is told. */
async function readSource(path: string, { warn, workingOn }: Console): Promise<readonly ReadSource[]> {
  workingOn?.(path)
  const source = await readFlowSource(path)
  const { flow } = source
  for (const line of linesOfProblems(source)) say(warn, line)
  return flow ? [{ ...source, flow }] : []
}

/** The files of one form that are meant: a folder may have what was written before beside what it is written from. */
const filesIn = (path: string) => findFiles([path], '.json').catch(() => findFiles([path], yamlEnding))

/** Ids of groups at which the flows enter one another. */
function groupsLinkedTo(flows: readonly Flow[]): ReadonlySet<string> {
  const blocks = flows.flatMap(({ groups }) => groups.flatMap((group) => group.blocks))
  return new Set(
    blocks.flatMap((block) => (isOf(block, FlowLinkBlock) ? (block.options?.groupId ?? []) : [])),
  )
}

/** Those that tests beside the flow name, too; an edge has no id of its own in YAML, which is told. */
async function namesOf(
  source: ReadSource,
  { linked, tests }: { readonly linked: ReadonlySet<string>; readonly tests: NamesInTests },
  { warn }: Console,
) {
  const { path, flow } = source
  const texts = await tests.of(source).catch((error: Error) => {
    say(
      warn,
      `${path}: the tests beside it can not be read, and ids that they name are made anew: ${error.message}`,
    )
    return new Set<string>()
  })
  const edges = flow.edges.filter(({ id }) => texts.has(id))
  for (const { id } of edges)
    say(
      warn,
      `${path}: tests name the edge ${JSON.stringify(id)}, which has another id in YAML: name the group that it leads to`,
    )
  return new Set([...linked, ...texts])
}

interface Target {
  readonly path: string
  readonly target: string
  readonly text: string
  readonly isForced: boolean
}

/** How many files were written. */
async function writeTarget(
  { path, target, text, isForced }: Target,
  { print, warn }: Console,
): Promise<0 | 1> {
  try {
    await writeFile(target, text, { flag: isForced ? 'w' : 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    say(warn, `${target} is there already: use --force to replace it`)
    return 0
  }
  say(print, `${path}: written to ${target}`)
  return 1
}
