import { maxHeadCodeLength } from '../../../../engine/compile/head-html.ts'
import { defineRule } from '../../rule.ts'

const pointer = '/settings/metadata/customHeadCode'

/** Head code that is not sent. */
export const headCodeTooLong = defineRule({
  code: 'head-code-too-long',
  severity: 'error',
  title: 'Custom head code that is too long to be sent',
  description: `Clients get no more than ${maxHeadCodeLength} characters of custom head code: what is longer is left out as a whole. Load long scripts from an address of their own.`,
  checkFlow({ model, report }) {
    const { customHeadCode } = model.flow.settings.metadata ?? {}
    if (!customHeadCode || customHeadCode.length <= maxHeadCodeLength) return
    const message = `Custom head code is left out: it has more than ${maxHeadCodeLength} characters.`
    report({ pointer, message })
  },
})
