import { defineRule } from '../../rule.ts'

/** Names that two variables have. */
export const duplicateVariableName = defineRule({
  code: 'duplicate-variable-name',
  severity: 'warning',
  title: 'Two variables of one name',
  description:
    'A placeholder reads the first variable of its name that has a value, and code writes the first of them; blocks that name a variable by its id may mean another. That works until both hold something. Rename one of them, or use one for both.',
  checkFlow({ model, report }) {
    const first = new Map<string, number>()
    for (const [index, { name }] of model.flow.variables.entries()) {
      const taken = first.get(name)
      if (taken === undefined) first.set(name, index)
      else
        report({
          pointer: `/variables/${index}/name`,
          message: `Another variable is named "${name}" too; the first with a value is read.`,
          related: [{ pointer: `/variables/${taken}/name`, message: 'The name is first used here.' }],
        })
    }
  },
})
