import type { Conversation, Frame } from '../model/conversation.ts'
import { ask, type Effects } from '../model/effects.ts'
import { visibleError } from '../model/log-entry.ts'
import { type CompiledBlock, type Program, targetOf } from '../model/program.ts'
import { assignByName, heldVariablesLength } from '../turn/assign-variable.ts'
import { describeLocation, missingBlockLog } from '../turn/describe-location.ts'
import type { Turn } from '../turn/turn.ts'
import { isFilled, type Value } from '../values/value.ts'
import { Variables } from '../values/variables.ts'

/** Entry of a link, once its names are resolved. */
interface LinkEntry {
  /** Undefined for the flow that is being walked: it shares its variables with the part it links to. */
  readonly program: Program | undefined
  readonly mergesResults: boolean
}

/** Pushes a linked flow; false, with a log, when links are too deep. */
export function* enterLink(turn: Turn, link: CompiledBlock, entry: LinkEntry): Effects<boolean> {
  const { conversation, currentFrame } = turn
  if (exceedsLinkDepth(turn, link, 'Flow link could not be followed')) return false
  const resumeAt = resumePointAfterLink(turn, link)
  if (!entry.program) {
    turn.enterFrame({ ...currentFrame, resumeAt, mergesResults: true, isSubroutine: false })
    return true
  }
  const variables = variablesOf(entry.program, conversation)
  // Each flow that is entered takes the values of its namesakes along.
  turn.budget.consume(variables.length)
  if (exceedsVariablesLimit(turn, link, variables)) return false
  const { mergesResults } = entry
  // A flow that keeps its results to itself writes to a result of its own.
  const resultId = mergesResults || !conversation.isLive ? currentFrame.resultId : yield* ask({ type: 'id' })
  const answers = new Map(mergesResults ? currentFrame.answers : [])
  turn.enterFrame({
    program: entry.program,
    variables,
    answers,
    resultId,
    resumeAt,
    mergesResults,
  })
  return true
}

/** Steps aside in the flow that is being walked: when the way ends, the walk goes on at this block. */
export function enterSubroutine(turn: Turn, resumeAt: CompiledBlock): void {
  if (exceedsLinkDepth(turn, resumeAt, 'The way will not lead back here')) return
  turn.enterFrame({
    ...turn.currentFrame,
    resumeAt,
    mergesResults: true,
    isSubroutine: true,
  })
}

function exceedsLinkDepth(turn: Turn, block: CompiledBlock, consequence: string): boolean {
  const { conversation, budget } = turn
  if (conversation.frames.length <= budget.limits.linkDepth) return false
  turn.budget.limitsReached.push('linkDepth')
  const description = `${consequence}: links are limited to ${budget.limits.linkDepth} inside each other`
  turn.output.log(visibleError({ description, details: describeLocation(block) }))
  return true
}

function exceedsVariablesLimit(turn: Turn, link: CompiledBlock, added: Variables): boolean {
  const { variablesLength } = turn.budget.limits
  if (heldVariablesLength(turn) + added.length <= variablesLength) return false
  turn.budget.limitsReached.push('variablesLength')
  const description = `Flow link could not be followed: all variables together are limited to ${variablesLength} characters`
  turn.output.log(visibleError({ description, details: describeLocation(link) }))
  return true
}

/** Block at which a flow goes on after a link: along the link's own edge, else the next block of its group. */
function resumePointAfterLink(turn: Turn, link: CompiledBlock): CompiledBlock | undefined {
  if (link.edgeId === undefined) return link.following
  const target = targetOf(turn.currentFrame.program, link.edgeId)
  if (target && 'missingBlockId' in target) turn.output.log(missingBlockLog(target.missingBlockId, link))
  if (target?.kind === 'block') return target.block
  if (target?.kind !== 'empty group') {
    const description = `Edge "${link.edgeId}" leads nowhere: nothing follows the link`
    turn.output.log(visibleError({ description, details: describeLocation(link) }))
  }
  return undefined
}

/**
 * A linked flow starts with the values of its namesakes, the nearest caller first, then with those that are remembered for the
 * contact, and keeps its own where they hold nothing.
 */
function variablesOf(program: Program, { frames, memory }: Conversation): Variables {
  const changed = new Map<string, Value>()
  for (const { id, name, isOfContact } of program.variables.all) {
    const owner = frames.findLast(({ variables }) => variables.knows(name))
    const value = owner?.variables.readByName(name) ?? (isOfContact ? memory?.values.get(name) : undefined)
    if (value !== undefined && isFilled(value)) changed.set(id, value)
  }
  return new Variables(program.variables, changed)
}

/** Pops the current flow and gives what it merges to its caller. */
export function leaveFrame(turn: Turn): Frame {
  const { frames, returnStack } = turn.conversation
  const left = frames.pop()
  const caller = frames.at(-1)
  if (!left || !caller) throw new Error('the flow that was started is never left')
  turn.currentFrame = caller
  while ((returnStack.at(-1)?.frameDepth ?? 0) >= frames.length) returnStack.pop()
  turn.sensitive.push(...left.variables.sensitiveValues())
  if (left.mergesResults) merge(turn, left, caller)
  else if (left.resultId !== undefined && left.resultId !== caller.resultId) turn.output.finished.push(left)
  return left
}

function merge(turn: Turn, left: Frame, caller: Frame): void {
  // A flow that linked to itself shares both with the part it linked to.
  if (left.variables !== caller.variables) mergeVariables(turn, left.variables)
  if (left.answers === caller.answers) return
  for (const [key, answer] of left.answers) {
    caller.answers.delete(key)
    caller.answers.set(key, answer)
  }
}

/** Gives each name its value, as the flow that is left would have read it; empty values are not given back. */
function mergeVariables(turn: Turn, left: Variables): void {
  const names = new Set([...left.table.all.map(({ name }) => name), ...left.inherited.keys()])
  for (const name of names) {
    const value = left.readByName(name)
    const isSessionVariable = left.table.byName(name).candidates.some(({ id }) => left.sessionOnly.has(id))
    if (value !== null) assignByName(turn, name, { value, isSessionVariable })
  }
}
