import type { FlowTestFile } from '../../../schemas/flow-test.ts'
import { readDefinition } from '../../definition/read-definition.ts'
import { compileFlow } from '../../engine/compile/compile-flow.ts'
import type { BlockRegistry } from '../../engine/model/block-handler.ts'
import { firstProblemOf, ServiceError } from '../../lib/errors.ts'
import type { Blocks, OwnBlock } from '../../own-blocks/load-blocks.ts'
import { problemsOfTests } from '../../tooling/flow-tests/read-tests.ts'
import { UsageError } from '../command.ts'
import { oneLine } from '../output/plain-text.ts'

/** Reads the cases that own blocks bring along, each as the tests of a flow of one block. Throws a UsageError for one that can't be run. */
export function casesOf({ own, registry }: Blocks) {
  return own.flatMap((one) => (one.block.cases ?? []).map((_case, index) => readCase(one, index, registry)))
}

function readCase({ path, block }: OwnBlock, index: number, registry: BlockRegistry) {
  const { name, steps, options, items, variables = {} } = block.cases?.[index] ?? { name: '', steps: [] }
  const at = `/cases/${index}`
  const file = {
    tests: [{ name: `${block.type}: ${name}`, vars: variables, steps }],
  } as unknown as FlowTestFile
  const [problem] = problemsOfTests(file)
  if (problem)
    throw new UsageError(oneLine(`${path} ${problem.pointer.replace('/tests/0', at)} ${problem.message}`))
  const definition = {
    version: '6',
    id: 'case',
    events: [{ id: 'start', type: 'start', outgoingEdgeId: 'first' }],
    edges: [{ id: 'first', to: { groupId: 'group' } }],
    groups: [
      {
        id: 'group',
        title: 'Group',
        blocks: [{ id: 'block', type: block.type, options, ...(items && { items }) }],
      },
    ],
    variables: Object.keys(variables).map((variable) => ({ id: variable, name: variable })),
  }
  try {
    const flow = readDefinition(definition, registry)
    return { path, file, flow, program: compileFlow(flow, registry, path) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new UsageError(oneLine(`${path} ${at} can not be run: ${firstProblemOf(error)}`))
  }
}
