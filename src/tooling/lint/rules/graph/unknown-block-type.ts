import { defineRule } from '../../rule.ts'

/** Blocks that are skipped. */
export const unknownBlockType = defineRule({
  code: 'unknown-block-type',
  severity: 'error',
  title: 'A block of a type that this server does not know',
  description:
    'The block is skipped, with an error log. Either its type is misspelt, or it comes from an editor that has more blocks than this server runs. Replace it by blocks that are known.',
  checkBlock({ block, compiled, pointer }, { report }) {
    if (compiled.handler) return
    const message = `The type "${block.type}" is unknown to this server: the block is skipped.`
    report({ pointer: `${pointer}/type`, message })
  },
})
