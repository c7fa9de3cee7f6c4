import { defineRule } from '../../rule.ts'

/** Events that never come to anything. */
export const eventWithoutEffect = defineRule({
  code: 'event-without-effect',
  severity: 'warning',
  title: 'An event that leads nowhere or can not happen',
  description:
    'A command without a name is never sent, a second command of one name never comes to its turn, and an event without an edge leads nowhere; a command that leads nowhere is refused with 400. Connect the event, name it, or delete it.',
  checkFlow({ model, report }) {
    if (model.program.isLegacy) return
    const commands = new Set<string>()
    for (const [index, event] of model.flow.events.entries()) {
      if (event.type === 'start') continue
      const pointer = `/events/${index}`
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
