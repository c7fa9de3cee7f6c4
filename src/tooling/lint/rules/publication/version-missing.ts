import { defineRule } from '../../rule.ts'

/** Definitions that leave their version to be guessed. */
export const versionMissing = defineRule({
  code: 'version-missing',
  severity: 'warning',
  title: 'A definition that does not say its version',
  description:
    'Without `version` a definition with events counts as one of version 6, and any other as one of version 3, which starts at its first block and merges the results of links ([behaviour/walk.md, "Old versions"](behaviour/walk.md#old-versions)). Write `"version": "6.1"`, with the start among the `events`.',
  checkFlow({ model, report }) {
    const { version } = Object(model.definition) as { version?: unknown }
    if (version !== undefined && version !== null) return
    report({
      pointer: '',
      message: `The definition says no version, and is read as one of version ${model.flow.version}.`,
    })
  },
})
