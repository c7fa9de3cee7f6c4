import { defineRule } from '../../rule.ts'

/** Mails, which no preview sends. */
export const mailInPreview = defineRule({
  code: 'mail-in-preview',
  severity: 'info',
  title: 'A mail that no preview sends',
  description:
    'Previews send no mails, and leave a log in their place: that a mail goes out, and to whom, is seen with mocks, in tests of the flow (`mailed`, [testing-flows.md](testing-flows.md)), or live. Reported once for a flow, at its first mail.',
  checkFlow({ model, report }) {
    const first = model.blocks.find(({ block, marks }) => marks.mails && 'options' in block && block.options)
    if (first) report({ pointer: first.pointer, message: 'Previews do not send this mail.' })
  },
})
