import { blockRegistry } from '../../src/blocks/index.ts'
import { readDefinition } from '../../src/definition/read-definition.ts'
import { compileFlow } from '../../src/engine/compile/compile-flow.ts'
import type { BlockRegistry } from '../../src/engine/model/block-handler.ts'
import type { FlowFinding } from '../../src/tooling/lint/finding.ts'
import { inspectModel } from '../../src/tooling/lint/inspect-model.ts'
import { inOneGo } from '../../src/tooling/lint/lint-flow.ts'
import { buildFlowModel, type FlowModel } from '../../src/tooling/lint/model/flow-model.ts'
import { type Surroundings, unknownSurroundings } from '../../src/tooling/lint/model/surroundings.ts'
import type { LintOptions } from '../../src/tooling/lint/rule.ts'
import { rules, rulesByCode } from '../../src/tooling/lint/rules/index.ts'
import { wholeDefinition } from './conformance.ts'
import type { Json } from './json.ts'

/** What differs from a flow of which nothing else is known. */
export interface LintGiven {
  readonly registry?: BlockRegistry
  readonly surroundings?: Surroundings
  readonly options?: LintOptions
}

/** The model of a definition, which may be as short as those of conformance cases. */
export function modelOf(definition: Json, given: LintGiven = {}): FlowModel {
  return modelOfWhole(wholeDefinition(definition), given)
}

function modelOfWhole(whole: Json, given: LintGiven): FlowModel {
  const flow = readDefinition(whole)
  const program = compileFlow(flow, given.registry ?? blockRegistry, 'hash')
  const { surroundings = unknownSurroundings } = given
  return inOneGo(buildFlowModel({ flow, program, definition: whole, surroundings }))
}

/** Everything that is found about a definition. */
export function lint(definition: Json, given: LintGiven = {}): readonly FlowFinding[] {
  return inOneGo(inspectModel(modelOf(definition, given), rules, given.options))
}

/** Everything that is found about a definition that leaves nothing out. */
export function lintWhole(definition: Json, given: LintGiven = {}): readonly FlowFinding[] {
  return inOneGo(inspectModel(modelOfWhole(definition, given), rules, given.options))
}

/** What one rule finds about a definition. */
export function lintBy(code: string, definition: Json, given: LintGiven = {}): readonly FlowFinding[] {
  const rule = rulesByCode.get(code)
  if (!rule) throw new Error(`There is no rule "${code}"`)
  return inOneGo(inspectModel(modelOf(definition, given), [rule], given.options))
}
