import type { Log } from '../../schemas/log.ts'
import { compileExpression } from '../../src/engine/javascript/create-code.ts'
import { evaluate } from '../../src/engine/javascript/evaluate.ts'
import { createRunCode } from '../../src/engine/javascript/sandbox-job.ts'
import type {
  AnyBlock,
  BlockHandler,
  CompileContext,
  RunContext,
  UploadRules,
} from '../../src/engine/model/block-handler.ts'
import type { CodeJob, CodeResult } from '../../src/engine/model/effect-payloads.ts'
import type { Effect, EffectAnswer, Effects } from '../../src/engine/model/effects.ts'
import { logForAuthors } from '../../src/engine/model/log-entry.ts'
import type { ClientReplyResult, Reply, ReplyResult, Step } from '../../src/engine/model/step.ts'
import { compileJson, renderJson } from '../../src/engine/templates/json-template.ts'
import { parseTemplate } from '../../src/engine/templates/parse-template.ts'
import { renderText } from '../../src/engine/templates/text-template.ts'
import type { Value } from '../../src/engine/values/value.ts'
import { Variables, VariableTable } from '../../src/engine/values/variables.ts'
import { settle } from './settle-effects.ts'

/** What a block finds around it in a test. Variables are given by name; the id of `Name` is `vName`. */
export interface Surroundings {
  variables?: Record<string, Value>
  isLegacy?: boolean
  isLive?: boolean
  resultId?: string
  textBubbleContentFormat?: 'richText' | 'markdown'
  transcript?: readonly string[]
  payment?: RunContext['payment']
  flowId?: string
  answers?: RunContext['answers']
  publicUrl?: string
  /** Answers to effects, by type; of code, the result of each piece, or what runs it. */
  effects?: { [Type in Exclude<Effect['type'], 'evaluate'>]?: EffectAnswer<Type> } & {
    evaluate?: CodeResult | ((job: CodeJob) => CodeResult)
  }
}

export interface Prepared {
  findings: { code: string; at: string; hint: string }[]
  logs: Log[]
  variables: Variables
  /** Characters counted against the budget of the turn. */
  spent(): number
  run(): Step
  reply(reply?: Reply): ReplyResult
  receive(text: string): ClientReplyResult
  uploads(): UploadRules | undefined
  retryMessage(): string | undefined
  answerVariableId(): string | undefined
}

/** Compiles one block alone, and lets a test run it and reply to it. */
export function prepareBlock(handler: BlockHandler, block: AnyBlock, given: Surroundings = {}): Prepared {
  const table = new VariableTable(
    Object.entries(given.variables ?? {}).map(([name, value]) => ({
      id: `v${name}`,
      name,
      // Nothing, as it is for a variable that is declared without a value.
      ...(value !== null && { value: value as string | (string | null)[] }),
    })),
  )
  const variables = new Variables(table)
  const findings: Prepared['findings'] = []
  const logs: Log[] = []
  let spent = 0
  const compileContext: CompileContext = {
    variables: table,
    isLegacy: given.isLegacy ?? false,
    text: (text) => parseTemplate(text, table),
    lateText: (text) => parseTemplate(text, table),
    expression: compileExpression,
    json: (value, _at, addressAt) =>
      compileJson(value, { compile: (text) => parseTemplate(text, table), ...(addressAt && { addressAt }) }),
    report: (finding) => findings.push(finding),
    inspect: (check) => check(),
  }
  const context: RunContext = {
    variables,
    log: (entry) => logs.push(logForAuthors(entry)),
    evaluate: (code) => evaluate(code, context),
    runCode: createRunCode('in one block'),
    isMocked: false,
    spend: (characters) => {
      spent += characters
    },
    blockId: block.id,
    place: `Block "${block.id}"`,
    isLegacy: given.isLegacy ?? false,
    isLive: given.isLive ?? true,
    flowId: given.flowId ?? 'flow-1',
    resultId: given.resultId,
    contact: undefined,
    channel: undefined,
    answers: given.answers ?? [],
    publicUrl: given.publicUrl,
    textBubbleContentFormat: given.textBubbleContentFormat ?? 'richText',
    transcript: given.transcript ?? [],
    payment: given.payment,
    render: (template) => renderJson(template, context),
    text: (template) => renderText(template, context),
  }
  const compiled = handler.compile(block, compileContext)
  return {
    findings,
    logs,
    variables,
    spent: () => spent,
    run: () => settled(handler.run(compiled, context), given.effects ?? {}),
    reply: (reply) => {
      if (!handler.reply) throw new Error(`${block.type} takes no reply`)
      return settled(handler.reply(compiled, reply, context), given.effects ?? {})
    },
    receive: (text) => {
      if (!handler.handleClientReply) throw new Error(`${block.type} takes nothing back from the client`)
      return settled(handler.handleClientReply(compiled, text, context), given.effects ?? {})
    },
    uploads: () => handler.uploads?.(compiled, context),
    retryMessage: () => handler.retryMessage?.(compiled, context),
    answerVariableId: () => handler.answerVariableId?.(compiled),
  }
}

/** Compiles and runs one block alone. */
export function runBlock(handler: BlockHandler, block: AnyBlock, given: Surroundings = {}): Step {
  return prepareBlock(handler, block, given).run()
}

function settled<Result extends Step | ReplyResult | ClientReplyResult>(
  result: Result | Effects<Result>,
  answers: NonNullable<Surroundings['effects']>,
): Result {
  if (!(Symbol.iterator in result)) return asAuthorsRead(result)
  return asAuthorsRead(
    settle(result, (effect) => {
      const { type } = effect
      if (!(type in answers)) throw new Error(`no answer to the effect "${type}" was given`)
      if (type === 'evaluate') {
        const { evaluate } = answers
        return effect.jobs.map((job) =>
          typeof evaluate === 'function' ? evaluate(job) : (evaluate as CodeResult),
        )
      }
      return answers[type] as EffectAnswer
    }),
  )
}

/** Who else may read the logs is tested where they are written. */
function asAuthorsRead<Result extends Step | ReplyResult | ClientReplyResult>(result: Result): Result {
  if (!('logs' in result) || !result.logs) return result
  return { ...result, logs: result.logs.map(logForAuthors) }
}

/** A verdict or step but for the items that it names, which are for counts alone. */
export function withoutItems<T>(judged: T): T {
  if (typeof judged !== 'object' || judged === null) return judged
  const { items: _, item: __, ...rest } = judged as Record<string, unknown>
  return rest as T
}
