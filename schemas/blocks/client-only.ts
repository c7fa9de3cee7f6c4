import type { Block } from './index.ts'

const clientOnlyTypes = new Set(['Pixel', 'Google Analytics', 'Chatwoot', 'Redirect', 'embed'])

/** Whether a block does something only in a browser. */
export function isClientOnly(block: Block): boolean {
  if (clientOnlyTypes.has(block.type)) return true
  if (block.type === 'Code') return block.options?.isExecutedOnClient !== false
  const { isExecutedOnClient } = (('options' in block && block.options) || {}) as {
    isExecutedOnClient?: boolean
  }
  return isExecutedOnClient === true
}
