import { defineRule } from '../../rule.ts'

/** Public ids that another file has. */
export const publicIdTaken = defineRule({
  code: 'public-id-taken',
  severity: 'error',
  title: 'A public id that another file has',
  description:
    'Of two files with one public id the first by name is published, and the other can not be started. Files without a `publicId` have the name of the file. Looked for where several files are checked together.',
  checkFlow({ model, report }) {
    const { flow, surroundings } = model
    const others = (flow.publicId && surroundings.publishedAs?.(flow.publicId)) || []
    if (others.length === 0) return
    report({
      pointer: '/publicId',
      message: `"${flow.publicId}" is the public id of ${others.slice(0, 5).join(', ')} too.`,
    })
  },
})
