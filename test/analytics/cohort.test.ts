import { expect, it } from 'vitest'
import { createAnalytics } from '../../src/analytics/read-analytics.ts'
import { wholeDefinition } from '../support/conformance.ts'
import { createTestChat } from '../support/start.ts'
import { parseWire } from '../support/wire.ts'

const open = (variables: readonly object[]) => {
  const world = createTestChat([
    wholeDefinition({ id: 'f1', variables, blocks: [{ id: 'i1', type: 'text input' }] }),
  ])
  return {
    async begin(prefilledVariables: Record<string, string>) {
      const body = { prefilledVariables }
      return parseWire(await world.chat.startPublished({ publicId: 'f1', origin: undefined, body }))
    },
    async told(by: string) {
      const { cohorts = [] } = await createAnalytics(world).read({ publicId: 'f1', by })
      return cohorts.map(({ value }) => value)
    },
    cohortOf: async ({ resultId }: Record<string, unknown>) =>
      (await world.results.get('f1', String(resultId)))?.visit?.cohort,
  }
}

it.each(['personal', 'secret'])(
  'keeps what a %s UTM variable holds out of counts and results',
  async (sensitivity) => {
    const { begin, told, cohortOf } = open([
      { id: 'v1', name: 'utm_content', sensitivity },
      { id: 'v2', name: 'utm_source' },
    ])
    const begun = await begin({ utm_content: 'Ada Lovelace', utm_source: 'mail' })
    expect(await told('utm_content')).toEqual(['other'])
    expect(await told('utm_source')).toEqual(['mail'])
    expect(await cohortOf(begun)).not.toContain('Lovelace')
  },
)

it('keeps the value of a marked variable out of counts where a UTM variable holds it, too', async () => {
  const { begin, told, cohortOf } = open([
    { id: 'v1', name: 'Name', sensitivity: 'personal' },
    { id: 'v2', name: 'utm_content' },
  ])
  const begun = await begin({ Name: 'Ada Lovelace', utm_content: 'for Ada Lovelace' })
  await begin({ Name: 'Ada Lovelace', utm_content: 'spring' })
  expect(await told('utm_content')).toEqual(['other', 'spring'])
  expect(await cohortOf(begun)).not.toContain('Lovelace')
})
