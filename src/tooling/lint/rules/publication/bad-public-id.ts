import { defineRule } from '../../rule.ts'

/** Public ids that do not fit into an address. */
export const badPublicId = defineRule({
  code: 'bad-public-id',
  severity: 'warning',
  title: 'A public id that does not fit into an address',
  description:
    'Visitors start a flow by its `publicId`, which stands in an address: blanks, slashes and the signs `? # % \\` have to be written otherwise there, and many clients do not. Use letters, digits and hyphens.',
  checkFlow({ model, report }) {
    const { publicId } = model.flow
    if (publicId === undefined || /^[^\s/?#%\\]*$/.test(publicId)) return
    report({ pointer: '/publicId', message: `"${publicId}" does not fit into an address.` })
  },
})
