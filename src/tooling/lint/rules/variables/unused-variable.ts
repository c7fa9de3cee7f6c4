import { defineRule } from '../../rule.ts'

/** Variables that nothing reads. */
export const unusedVariable = defineRule({
  code: 'unused-variable',
  severity: 'info',
  title: 'A variable that nothing reads or writes',
  description:
    'The variable is declared, and nothing in the flow uses it; or blocks write it, and nothing reads it. Variables of inputs are not reported, as their values are results; nor is anything in a flow that sends all its variables to others or links to other flows. Delete it, or use it; one that sites prefill to find it among the results, such as a campaign, is right as it is.',
  checkFlow({ model, report }) {
    if (model.uses.isOpen) return
    for (const [index, { id, name, isSessionVariable }] of model.flow.variables.entries()) {
      const { reads, writes } = model.uses.of(id)
      if (reads.length > 0 || writes.some(({ placed }) => placed?.kind === 'input')) continue
      const pointer = `/variables/${index}`
      if (writes.length > 0) {
        const related = writes
          .slice(0, 5)
          .map((use) => ({ pointer: use.pointer, message: 'It is written here.' }))
        report({ pointer, message: `Nothing reads the variable "${name}".`, related })
        continue
      }
      const fix = { title: 'Delete the variable', patch: [{ op: 'remove' as const, path: pointer }] }
      // Others are part of the results, with what a site prefills.
      report({ pointer, message: `Nothing uses the variable "${name}".`, ...(isSessionVariable && { fix }) })
    }
  },
})
