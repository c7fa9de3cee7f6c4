import type { Log } from '../../../schemas/log.ts'
import type { ChatDependencies } from '../../../src/conversations/dependencies.ts'
import type { Value } from '../../../src/engine/values/value.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import { sandbox } from '../../support/sandbox.ts'
import { createTestChat } from '../../support/start.ts'
import { parseWire } from '../../support/wire.ts'

/** What a block left behind. Variables without a value are not there. */
export interface Played {
  readonly values: Readonly<Record<string, Value>>
  readonly logs: readonly Log[]
}

/** Plays a live flow of one block, with the real sandbox. The id of `Name` is `vName`. */
export async function playBlock(
  block: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, Value>>,
  given: Partial<Pick<ChatDependencies, 'http' | 'limits'>> = {},
): Promise<Played> {
  const declared = Object.entries(variables).map(([name, value]) => ({ id: `v${name}`, name, value }))
  const definition = wholeDefinition({ variables: declared, blocks: [block] })
  const { chat, results } = createTestChat([definition], { sandbox, ...given })
  const response = await chat.startPublished({ publicId: 'flow-1', origin: undefined, body: {} })
  const result = await results.get('flow-1', 'result-1')
  const found = (result?.variables ?? []).map(({ name, value }) => [name, value] as const)
  return { values: Object.fromEntries(found), logs: (parseWire(response)['logs'] ?? []) as Log[] }
}
