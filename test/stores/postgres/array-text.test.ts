import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arrayText } from '../../../src/stores/postgres/postgres-text.ts'
import { openPostgresStores } from '../../support/postgres/postgres-conversations.ts'
import { describeWithPostgres, useDatabase } from '../../support/postgres/postgres-tests.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }).filter((each) => !each.includes('\0')),
  fc.constantFrom('NULL', 'null', '', ' ', '{a,b}', '"', '\\', '\\"', 'a\nb', "'", 'Zoë 🙂', '-1', 't'),
)

describeWithPostgres('the text of an array', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  it('is read by PostgreSQL as what it was made of', async () => {
    const { database } = await openPostgresStores(databaseUrl())
    const elements = fc.array(fc.option(text), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(elements, async (texts) => {
        const [row] = await database.query('SELECT $1::text[] AS texts', [arrayText(texts)])
        expect(row).toEqual({ texts })
      }),
    )
    const numbers = [1, null, -2.5, Number.MAX_SAFE_INTEGER]
    const values = [arrayText(numbers), arrayText([true, undefined, false])]
    const [row] = await database.query('SELECT $1::float8[] AS numbers, $2::boolean[] AS flags', values)
    expect(row).toEqual({ numbers, flags: [true, null, false] })
  })
})
