import { eventSchemas } from '../../../../../schemas/flow.ts'
import { tagsOf } from '../../../../../schemas/tagged-union.ts'
import { itemEdgesOf } from '../../model/placed-block.ts'
import { defineRule, type Rule } from '../../rule.ts'

const eventTypes: readonly string[] = eventSchemas.flatMap(tagsOf)

const eventWithoutEffect = defineRule({
  code: 'event-without-effect',
  severity: 'warning',
  title: 'An event that leads nowhere or can not happen',
  description:
    'A command without a name is never sent, a second command of one name never comes to its turn, and an event without an edge leads nowhere; a command that leads nowhere is refused with 400; an event of a type that is none never happens. Connect the event, name it, or delete it.',
  checkFlow({ model, report }) {
    if (model.program.isLegacy) return
    const commands = new Set<string>()
    for (const [index, event] of model.flow.events.entries()) {
      if (event.type === 'start') continue
      const pointer = `/events/${index}`
      if (!eventTypes.includes(event.type)) {
        const message = `No event is of the type "${event.type}": it never happens.`
        report({ pointer: `${pointer}/type`, message, hint: `There are: ${eventTypes.join(', ')}.` })
      }
      if (event.outgoingEdgeId === undefined) {
        report({ pointer, message: 'This event leads nowhere: connect it to a group.' })
      }
      if (event.type !== 'command') continue
      const { command } = event.options ?? {}
      if (!command) report({ pointer, message: 'This command has no name, so that no client can send it.' })
      else if (commands.has(command)) {
        const message = `An earlier event takes the command "${command}".`
        report({ pointer: `${pointer}/options/command`, message })
      } else commands.add(command)
    }
  },
})

const returnWithoutJump = defineRule({
  code: 'return-without-jump',
  severity: 'info',
  title: 'A Return in a flow that never jumps',
  description:
    'A Return leads back behind the last Jump, or to where the conversation waited when an event came. This flow has neither, nor does it link to others, so that the block does nothing: the one below comes next. Delete it, or use an edge.',
  checkBlock({ marks, pointer }, { model, report }) {
    if (marks.leaves !== 'by return') return
    const { flow, program } = model
    const hasJump = model.leaves.has('by jump') || model.leaves.has('by link')
    if (hasJump || (!program.isLegacy && flow.events.length > 1)) return
    report({ pointer, message: 'Nothing in this flow jumps, so that there is nothing to go back to.' })
  },
})

const silentEnd = defineRule({
  code: 'silent-end',
  severity: 'info',
  title: 'An end right behind a question',
  description:
    'The visitor answers, and hears nothing any more: the conversation ends with the input. Say at least that the answer has arrived. Nothing is reported where some of the choices lead on.',
  checkBlock(placed, { model, report }) {
    const { compiled, kind, pointer } = placed
    if (kind !== 'input' || compiled.edgeId !== undefined || itemEdgesOf(placed).length > 0) return
    if (model.graph.next(compiled).length > 0 || !model.graph.isReachable(compiled)) return
    if (model.leaves.has('by link')) return
    report({ pointer, message: 'The conversation ends as soon as this is answered, without a word.' })
  },
})

const emptyGroup = defineRule({
  code: 'empty-group',
  severity: 'info',
  title: 'A way into a group without blocks',
  description:
    'A path ends at a group that holds nothing. Fill the group, or lead the edges to it elsewhere.',
  checkFlow({ model, report }) {
    const entered = new Set(
      [...model.program.edges.values()].flatMap((target) =>
        target.kind === 'empty group' ? [target.group.id] : [],
      ),
    )
    for (const [index, { id, title, blocks }] of model.flow.groups.entries()) {
      if (blocks.length > 0 || !entered.has(id)) continue
      report({ pointer: `/groups/${index}`, message: `Group "${title ?? id}" is empty: paths end here.` })
    }
  },
})

/** Rules about what ends or does nothing. */
export const endRules: readonly Rule[] = [eventWithoutEffect, returnWithoutJump, silentEnd, emptyGroup]
