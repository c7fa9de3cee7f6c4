import { HandoffBlock } from '../../../../../schemas/blocks/logic.ts'
import type { FlowEvent } from '../../../../../schemas/flow.ts'
import { tagsOf } from '../../../../../schemas/tagged-union.ts'
import { leastTtlMs, mostTtlMs, mostWindowMs } from '../../../../engine/compile/compile-timers.ts'
import { type CompiledBlock, targetOf } from '../../../../engine/model/program.ts'
import { durationMs } from '../../../../engine/values/duration.ts'
import { blockAs, itemEdgesOf } from '../../model/placed-block.ts'
import { defineRule, type Rule, type RuleContext } from '../../rule.ts'

type IdleEvent = Extract<FlowEvent, { type: 'idle' }>

const leastIdleMs = 10_000
const leastDeadlineMs = 60_000
const mostDeadlineMs = 90 * 24 * 60 * 60 * 1000

/** The first block at which the way of an event waits for somebody, before a Return leads it back. */
function firstInput({ model }: RuleContext, { outgoingEdgeId }: FlowEvent): CompiledBlock | undefined {
  const target = targetOf(model.program, outgoingEdgeId)
  if (target?.kind !== 'block') return undefined
  const leaves = new Map(model.blocks.map(({ compiled, marks }) => [compiled, marks.leaves]))
  const met = new Set([target.block])
  for (const block of met) {
    if (block.handler?.kind === 'input' || block.handler?.marks?.handsOver) return block
    if (leaves.get(block) !== 'by return') for (const next of model.graph.next(block)) met.add(next)
  }
  return undefined
}

const expiryAsks = defineRule({
  code: 'expiry-asks',
  severity: 'warning',
  title: 'An expiry event that asks a question',
  description:
    'The way of an expiry event is walked once, and the conversation ends with it: an input on it is never shown, no person is waited for, and nothing behind it runs. Say goodbye without asking, or ask earlier, by an idle event ([behaviour/timers.md](behaviour/timers.md#expiry)).',
  checkFlow(context) {
    const { model, report } = context
    for (const [index, event] of model.flow.events.entries()) {
      const input = event.type === 'expire' ? firstInput(context, event) : undefined
      if (!input) continue
      const related = [{ pointer: input.pointer, message: 'It waits here.' }]
      report({
        pointer: `/events/${index}`,
        message: 'The way of this event asks what nobody can answer.',
        related,
      })
    }
  },
})

const idleWithoutEnd = defineRule({
  code: 'idle-without-end',
  severity: 'warning',
  title: 'A reminder that asks inside of itself',
  description:
    'The event may happen more than once (`atMost`), and its way asks a question: where that stays unanswered, the next reminder begins inside of the one before, and a visitor who comes back has to answer all of them. Remind without a question, or once ([behaviour/timers.md](behaviour/timers.md#idle)).',
  checkFlow(context) {
    const { model, report } = context
    for (const [index, event] of model.flow.events.entries()) {
      if (event.type !== 'idle' || (event.options.atMost ?? 1) < 2) continue
      const input = firstInput(context, event)
      const { groupIds } = event.options
      if (!input || (groupIds && !groupIds.includes(input.group.id))) continue
      const related = [{ pointer: input.pointer, message: 'This input.' }]
      const message = `It may happen ${event.options.atMost} times, and asks each time before the question is answered.`
      report({ pointer: `/events/${index}/options/atMost`, message, related })
    }
  },
})

const timerWindow = defineRule({
  code: 'timer-window',
  severity: 'warning',
  title: 'A time that makes no sense',
  description:
    'An idle event comes before anybody could have answered (less than ten seconds), not before the conversation is over (`settings.general.sessionTtl`), at the same time as another one, or for groups that the flow does not have; or the life of the flow is outside of 1 minute to 90 days, and the nearest of these counts; or its window of replies (`settings.general.replyWindow`) is longer than 30 seconds, which then count, or there is nothing to join ([behaviour/timers.md](behaviour/timers.md)).',
  checkFlow({ model, report }) {
    const { events, groups, settings } = model.flow
    const { sessionTtl, replyWindow } = settings.general ?? {}
    const takesTexts = model.blocks.some(({ compiled }) => compiled.handler?.joinsReplies)
    const wrong = replyWindow === undefined ? undefined : problemOfWindow(replyWindow, takesTexts)
    if (wrong) report({ pointer: '/settings/general/replyWindow', message: wrong })
    const ttlMs = sessionTtl === undefined ? Infinity : durationMs(sessionTtl)
    if (sessionTtl !== undefined && (ttlMs < leastTtlMs || ttlMs > mostTtlMs)) {
      const message = `The life of a conversation is 1 minute to 90 days, and not ${sessionTtl}.`
      report({ pointer: '/settings/general/sessionTtl', message })
    }
    const known = new Set(groups.map(({ id }) => id))
    const seen = new Set<string>()
    for (const [index, event] of events.entries()) {
      if (event.type !== 'idle') continue
      const pointer = `/events/${index}/options`
      const message = problemOf(event, ttlMs)
      if (message) report({ pointer: `${pointer}/after`, message })
      const key = JSON.stringify([durationMs(event.options.after), event.options.groupIds])
      if (seen.has(key))
        report({ pointer: `${pointer}/after`, message: 'Another event comes at the same time.' })
      seen.add(key)
      for (const [place, id] of (event.options.groupIds ?? []).entries())
        if (!known.has(id))
          report({ pointer: `${pointer}/groupIds/${place}`, message: `There is no group "${id}".` })
    }
  },
})

function problemOfWindow(replyWindow: string, takesTexts: boolean): string | undefined {
  const ms = durationMs(replyWindow)
  if (ms > mostWindowMs) return `Nobody is left without an answer for ${replyWindow}: it is 30 seconds.`
  if (ms === 0) return 'Nothing comes within no time: name 1 to 30 seconds, or leave it out.'
  return takesTexts ? undefined : 'No text input takes what it would join.'
}

function problemOf({ options: { after } }: IdleEvent, ttlMs: number): string | undefined {
  const ms = durationMs(after)
  if (ms < leastIdleMs) return `Nobody reads and answers within ${after}.`
  return ms >= ttlMs ? `The conversation is over before ${after} have passed.` : undefined
}

const handoffDeadline = defineRule({
  code: 'handoff-deadline',
  severity: 'warning',
  title: 'A handoff whose deadline makes no sense',
  description:
    'The deadline is too short for anybody to come (less than a minute) or longer than anybody waits (90 days); or it has no way of its own, so that the flow goes on as if somebody had been there; or there is such a way, and no deadline that leads to it ([behaviour/handoff.md](behaviour/handoff.md#handoff)).',
  blockTypes: tagsOf(HandoffBlock),
  checkBlock(placed, { report }) {
    const { pointer } = placed
    const { options: { deadline } = {} } = blockAs<HandoffBlock>(placed)
    const isLed = itemEdgesOf(placed).length > 0
    if (deadline === undefined) {
      if (isLed)
        report({ pointer: `${pointer}/items/0`, message: 'Without a deadline this way is never taken.' })
      return
    }
    const ms = durationMs(deadline)
    const at = `${pointer}/options/deadline`
    if (ms < leastDeadlineMs) report({ pointer: at, message: `Nobody can come within ${deadline}.` })
    if (ms > mostDeadlineMs) report({ pointer: at, message: `Nobody waits for ${deadline}.` })
    if (!isLed)
      report({
        pointer: at,
        message: 'Nobody came, and the flow goes on as if somebody had: give the item an edge.',
      })
  },
})

const handoffWithoutWay = defineRule({
  code: 'handoff-without-way',
  severity: 'info',
  title: 'A handoff that leads nowhere',
  description:
    'Once the conversation is given back, it is over without a word: nothing stands behind the block. Ask whether there is anything else, or say goodbye ([behaviour/handoff.md](behaviour/handoff.md#handoff)).',
  blockTypes: tagsOf(HandoffBlock),
  checkBlock({ compiled, pointer }, { model, report }) {
    if (compiled.edgeId !== undefined || compiled.following || model.leaves.has('by link')) return
    report({ pointer, message: 'The conversation ends as soon as it is given back.' })
  },
})

export const timerRules: readonly Rule[] = [
  expiryAsks,
  idleWithoutEnd,
  timerWindow,
  handoffDeadline,
  handoffWithoutWay,
]
