import { defineRule } from '../../rule.ts'

/** Flows of old versions. */
export const oldVersion = defineRule({
  code: 'old-version',
  severity: 'info',
  title: 'A flow of an old version',
  description:
    'Flows below version 6 are run as they were: they start at a block, links merge results unless they say otherwise, and a list in a text stands for its last element ([behaviour/walk.md, "Old versions"](behaviour/walk.md#old-versions)). Events are not looked at. Export the flow anew from an editor of today if that is not wanted.',
  checkFlow({ model, report }) {
    if (!model.program.isLegacy) return
    report({
      pointer: '/version',
      message: `Version ${model.flow.version} differs from later ones in three ways.`,
    })
  },
})
