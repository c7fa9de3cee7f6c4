import { expect, it } from 'vitest'
import { connectionsWithin, connectionWarnings } from '../../src/config/connection-bound.ts'
import { readConfig } from '../../src/config/read-config.ts'

const config = readConfig({})

it('accepts what was asked for where the process may open enough', () => {
  expect(connectionsWithin(config, 1_048_576)).toBe(10_000)
  expect(connectionsWithin(config, undefined)).toBe(10_000)
  expect(connectionWarnings(config, 65_536)).toEqual([])
})

it.each([
  [64, 8],
  [128, 32],
  [1_024, 704],
  [4_096, 3_008],
])('leaves room for what else is opened, of %i files', (openFiles, most) => {
  expect(connectionsWithin(config, openFiles)).toBe(most)
  expect(connectionWarnings(config, openFiles)).toEqual([
    `The process may have ${openFiles} files open (ulimit -n): at most ${most} connections are accepted, not the 10000 of MAX_CONNECTIONS`,
  ])
})

it('leaves room for the connections of the database', () => {
  const shared = readConfig({ DATABASE_URL: 'postgres://localhost/x', DATABASE_CONNECTIONS: '100' })
  expect(connectionsWithin(shared, 1_024)).toBe(604)
})
