import { isCertainlyInvalid } from '../../../engine/javascript/evaluate.ts'
import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import { type LogEntry, visibleError } from '../../../engine/model/log-entry.ts'
import type { Assignment, Step } from '../../../engine/model/step.ts'
import type { Code } from '../../../engine/model/template.ts'
import { compileClientScript, renderClientScript } from '../../../engine/templates/client-script.ts'
import type { TextTemplate } from '../../../engine/templates/text-template.ts'
import {
  type CompileValueSource,
  computedValue,
  type ValueSource,
  type WritingOptions,
  write,
} from './source.ts'

const at = '/options/expressionToEvaluate'

/** A number in whose digits a zero says something: a phone number, a postal code (docs/behaviour/variables.md, "Code"). */
const keptZero = /0[^.][\s\S]/

/**
 * Value of an expression. One that fails as code is text: that is how ordinary sentences work (docs/behaviour/logic.md,
 * "Set variable").
 */
export const customValue: CompileValueSource = (options, context) => {
  const { expressionToEvaluate: expression, isCode = false } = options
  if (!expression) return computedValue(() => null)(options, context)
  const template = context.text(expression, at)
  if (options.isExecutedOnClient) return clientValue(template, options, isCode)
  const code = isText(template) || isInBraces(template) ? undefined : codeOf(expression, template, context)
  if (!code) return computedValue((run) => run.text(template))(options, context)
  if (isCode) context.inspect(() => report(code, context))
  return (run) => evaluated(run, { code, template, options })
}

/** Whether an expression is substituted only: one placeholder and nothing else, or a number with a zero to keep. */
function isText({ constant, lone }: TextTemplate): boolean {
  if (lone) return lone.kind === 'variable' || isConstant(lone.code.template)
  return constant !== undefined && keptZero.test(constant) && isNumeric(constant)
}

/** Only values and commas in braces: an object whose keys would be the ids of variables. */
const inBraces = /^\s*\{\s*\0\s*(?:,\s*\0\s*)*\}\s*$/

function isInBraces({ parts }: TextTemplate): boolean {
  const isShort = parts.length < 100 && parts.every((part) => typeof part !== 'string' || part.length < 100)
  return isShort && inBraces.test(parts.map((part) => (typeof part === 'string' ? part : '\0')).join(''))
}

const isConstant = ({ parts }: TextTemplate) => parts.every((part) => typeof part === 'string')

const isNumeric = (text: string) => text.trim() !== '' && !Number.isNaN(Number(text))

/** Inline code that is the whole expression is evaluated once: what it yields is a value, never code again. */
function codeOf(expression: string, template: TextTemplate, context: CompileContext): Code {
  return template.lone?.kind === 'code' ? template.lone.code : context.expression(expression, template)
}

function report(code: Code, context: CompileContext): void {
  if (!isCertainlyInvalid(code)) return
  const hint = 'This is not valid JavaScript: the variable is set to the text.'
  context.report({ code: 'invalid-code', severity: 'warning', at, hint })
}

interface Custom {
  readonly code: Code
  readonly template: TextTemplate
  readonly options: WritingOptions
}

function evaluated(context: RunContext, { code, template, options }: Custom): Step {
  const { variableId, isCode } = options
  const result = context.evaluate(code)
  if (result.ok) return write(context, { variableId, value: result.value })
  const errors = errorTo(options, result.message)
  const logs = [failed(result.message, context)]
  // The result of code that was cut off is unknown: the variable keeps its value.
  if (result.needsSandbox) return { assignments: errors, logs }
  const step = write(context, { variableId, value: context.text(template) }, errors)
  return isCode || !result.mayBeWords ? { ...step, logs } : step
}

/** Only code has errors: where it is not said to be some, it may as well be a sentence. */
function errorTo({ isCode, saveErrorInVariableId }: WritingOptions, value: string): Assignment[] {
  return isCode && saveErrorInVariableId ? [{ variableId: saveErrorInVariableId, value }] : []
}

function failed(description: string, { place }: RunContext): LogEntry {
  return visibleError({ context: 'Set variable: expression failed', description, details: place })
}

/** Has the client run a script and send back what it returns; the session waits for that. */
function clientValue(script: TextTemplate, { isUnsafe }: WritingOptions, isCode: boolean): ValueSource {
  return (context) => {
    const scriptToExecute = {
      ...renderClientScript(script, context),
      isCode,
      ...(isUnsafe !== undefined && { isUnsafe }),
    }
    return {
      actions: [{ type: 'setVariable', setVariable: { scriptToExecute }, expectsDedicatedReply: true }],
      next: { to: 'wait' },
    }
  }
}

function fixedScript(script: string): CompileValueSource {
  return (options, { variables }) => clientValue(compileClientScript(script, variables), options, false)
}

/** Morning, afternoon or evening by the visitor's clock. */
export const momentOfTheDay = fixedScript(`const hour = new Date().getHours()
if (hour < 12) return 'morning'
return hour < 18 ? 'afternoon' : 'evening'`)

/** Desktop, tablet or mobile, by what the browser says of itself, and by touch and width where it says little. */
export const deviceType = fixedScript(`const agent = navigator.userAgent
const hasTouch = navigator.maxTouchPoints > 0 || 'ontouchstart' in window
const width = window.innerWidth
const isTablet = /ipad|tablet|playbook|silk|android(?!.*mobile)/i.test(agent)
if (isTablet || (hasTouch && width >= 768 && width <= 1024)) return 'tablet'
const isMobile = /mobi|iphone|ipod|android|blackberry|opera mini/i.test(agent)
return isMobile || (hasTouch && width < 768) ? 'mobile' : 'desktop'`)
