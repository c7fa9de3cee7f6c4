import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { countRates, type SharedCounts } from '../../../src/http/protection/rate-limit.ts'
import { limitGuesses } from '../../../src/http/protection/token-guesses.ts'

it('counts wrong tokens under a name of their own where processes count together', async () => {
  const keys: string[] = []
  const sharedCounts: SharedCounts = {
    defineCommand(name) {
      sharedCounts[name] = (key: string, ...rest: unknown[]) => {
        keys.push(key)
        const done = rest.at(-1) as (error: null, counted: [number, number]) => void
        done(null, [1, 60_000])
      }
    },
  }
  const app = Fastify()
  await countRates(app, { max: 5, sharedCounts })
  limitGuesses(app, 5)
  app.get('/', async (request) => {
    await app.tokenGuesses.count(request)
    return {}
  })
  expect((await app.inject('/')).statusCode).toBe(200)
  expect(keys).toEqual(['rate:127.0.0.1', 'rate:wrong-tokens:127.0.0.1'])
})
