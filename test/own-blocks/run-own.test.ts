import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { ProgramCache } from '../../src/conversations/session/program-cache.ts'
import {
  type Block,
  callAccount,
  createId,
  now,
  random,
  request,
} from '../../src/own-blocks/kit/block-kit.ts'
import { bubble, variable } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { registryWith } from '../support/own-blocks.ts'
import { trusted } from '../support/preview-request.ts'
import { beginPreview } from '../support/start.ts'

type Run = NonNullable<Block['run']>

/** Starts a flow with a block that does this, and a bubble behind it that shows the variable V. */
async function start(run: Run, options: Record<string, unknown> = {}) {
  const block: Block = { kit: 1, type: 'acme/it', kind: 'logic', schema: Type.Object({}), run }
  const programs = new ProgramCache({ registry: registryWith(block), maxBytes: 1e6 })
  const definition = wholeDefinition({
    variables: [variable('V')],
    blocks: [{ id: 'own', type: 'acme/it', options }, bubble('b', 'V is {{V}}')],
  })
  const body = { textBubbleContentFormat: 'markdown' }
  const { response, world } = await beginPreview(
    { definition, body, chat: { programs, drafts: programs } },
    trusted,
  )
  const [{ content }] = response['messages'] as [{ content: { markdown: string } }]
  return { said: content.markdown, logs: response['logs'], reports: JSON.stringify(world.reports) }
}

const write = (value: unknown) => ({ assignments: [{ variableId: 'vV', value }] })

const explained = (why: string) => [{ status: 'error', description: expect.stringContaining(why) }]

describe('an own block', () => {
  it('gets its options with placeholders filled in, and writes variables', async () => {
    const { said, logs } = await start(({ text }) => write(text), { text: 'a{{V}}b' })
    expect(said).toBe('V is ab')
    expect(logs).toBeUndefined()
  })

  it('asks for the time, chance, ids and requests by effects', async () => {
    const { said } = await start(function* () {
      const sent = yield* request({ url: 'http://127.0.0.1/' })
      const called = yield* callAccount({ path: '/orders' })
      return write(
        [yield* now(), yield* random(), yield* createId(), sent.ok, called.problem].map(String).join(' '),
      )
    })
    expect(said).toMatch(/^V is \d{13} \S+ \S+ false There is no account of the type http for this flow$/)
  })

  it.each<[string, Run, readonly object[]]>([
    [
      'throws',
      () => {
        throw new Error('no luck')
      },
      [],
    ],
    ['returns a promise', (async () => ({})) as never, explained('returned a promise: make it a generator')],
    [
      'returns a text',
      () => 'done' as never,
      explained('returned what the kit does not know: it must be object'),
    ],
    [
      'names a variable by a number',
      () => ({ assignments: [{ variableId: 5, value: 'x' }] }) as never,
      explained('/assignments/0/variableId must be string'),
    ],
    ['returns what is not known', () => ({ assign: [] }) as never, explained('/assign is not known here')],
    [
      'leaves by an item that it has not',
      () => ({ item: 'gone' }),
      explained('the block has no item "gone"'),
    ],
    [
      'throws in a generator',
      function* () {
        yield* now()
        throw new Error('late')
      },
      [],
    ],
    [
      'asks for what is no effect',
      function* () {
        yield 5 as never
        return {}
      },
      explained('asked for what is no effect: it must be object'),
    ],
    [
      'asks for a file',
      function* () {
        yield { type: 'read', path: '/etc/passwd' } as never
        return {}
      },
      explained('asked for what is no effect'),
    ],
    [
      'never ends',
      function* () {
        for (;;) yield* now()
      },
      explained('asked for more than 100 effects'),
    ],
  ])('that %s is skipped with a log, and the operator is told why', async (_what, run, why) => {
    const { said, logs, reports } = await start(run)
    expect(said).toBe('V is ')
    expect(logs).toMatchObject([{ status: 'error', description: 'A block failed and was skipped' }, ...why])
    expect(reports).toContain('acme/it')
  })
})
