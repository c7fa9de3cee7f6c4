import { ScriptBlock, SetVariableBlock } from '../../../../schemas/blocks/logic.ts'
import { isOf } from '../../../../schemas/tagged-union.ts'
import { placeholderlessText } from '../../../engine/javascript/bind-variables.ts'
import { type CodeNames, namesInCode } from '../../../engine/javascript/code-names.ts'
import type { Program } from '../../../engine/model/program.ts'
import { parseTemplate } from '../../../engine/templates/parse-template.ts'
import type { PlacedBlock } from './placed-block.ts'

/** Code of a block that this service runs. */
interface ServerCode {
  /** JSON pointer into the definition. */
  readonly pointer: string
  readonly source: string
  /** Whether it may call `setVariable` and `fetch`. */
  readonly isScript: boolean
}

/** Functions of one block that are looked at. */
const mostTools = 20

/** The code of a block that certainly is code, and is run by the service. */
export function serverCodeOf({ block, pointer }: PlacedBlock): ServerCode[] {
  const at = `${pointer}/options`
  if (isOf(block, ScriptBlock)) {
    const { content, isExecutedOnClient } = block.options ?? {}
    if (!content || isExecutedOnClient !== false) return []
    return [{ pointer: `${at}/content`, source: content, isScript: true }]
  }
  if (isOf(block, SetVariableBlock)) {
    const { type = 'Custom', expressionToEvaluate, isCode, isExecutedOnClient } = block.options ?? {}
    // Without the mark it may as well be a sentence.
    if (type !== 'Custom' || !expressionToEvaluate || isCode !== true || isExecutedOnClient === true)
      return []
    return [{ pointer: `${at}/expressionToEvaluate`, source: expressionToEvaluate, isScript: false }]
  }
  const options = 'options' in block ? (block.options as { tools?: unknown } | undefined) : undefined
  const tools = Array.isArray(options?.tools) ? (options.tools as readonly { code?: unknown }[]) : []
  return tools
    .slice(0, mostTools)
    .flatMap(({ code }, index) =>
      typeof code === 'string'
        ? [{ pointer: `${at}/tools/${index}/code`, source: code, isScript: true }]
        : [],
    )
}

/** Names in code, its references taken for names; undefined where it can't be parsed. */
export function namesInServerCode(
  { source }: ServerCode,
  { program, codeNames }: CodeModel,
): CodeNames | undefined {
  if (!codeNames.has(source)) {
    const text = placeholderlessText(parseTemplate(source, program.variables))
    codeNames.set(source, text === undefined ? undefined : namesInCode(text))
  }
  return codeNames.get(source)
}

/** A flow, with what was found in its code so far: several rules look at it. */
export interface CodeModel {
  readonly program: Program
  readonly codeNames: Map<string, CodeNames | undefined>
}

/** Names that code writes by `setVariable`. */
interface SetVariables {
  readonly names: readonly string[]
  /** Whether a call computes the name. */
  readonly isOpen: boolean
}

const call = /\bsetVariable\s*\(\s*(?:'([^'\\\n]*)'|"([^"\\\n]*)"|`([^`\\$]*)`)?/g

/** Finds the calls in the text of code, whether it can be parsed or not. */
export function variablesSetIn(code: string): SetVariables {
  const names: string[] = []
  let isOpen = false
  for (const [, single, double, template] of code.matchAll(call)) {
    const name = single ?? double ?? template
    if (name === undefined) isOpen = true
    else names.push(name)
  }
  return { names, isOpen }
}
