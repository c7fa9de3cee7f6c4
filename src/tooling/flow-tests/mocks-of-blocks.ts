import type { Mocks } from '../../../schemas/mocks.ts'
import type { Program } from '../../engine/model/program.ts'

/** The rules of a file of tests, and behind them those that the block types of its flow bring along, for their own calls. */
export function withMocksOfBlocks(mocks: Mocks, { groups }: Program): Mocks {
  const http = [...(mocks.http ?? [])]
  const vendors = [...(mocks.vendors ?? [])]
  for (const { blocks } of groups.values()) {
    for (const { id: block, handler } of blocks) {
      for (const rule of handler?.mock?.http ?? []) http.push({ ...rule, match: { ...rule.match, block } })
      for (const rule of handler?.mock?.vendors ?? [])
        vendors.push({ ...rule, match: { ...rule.match, block } })
    }
  }
  return { ...mocks, ...(http.length > 0 && { http }), ...(vendors.length > 0 && { vendors }) }
}
