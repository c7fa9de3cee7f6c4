import { expect, it } from 'vitest'
import { bytes } from './arbitraries/wire.ts'
import { playBytes } from './play.ts'
import { tryService } from './trial.ts'

const whatever = tryService()

it('a connection that brings anything, HTTP or not, is answered in HTTP and ends', async () => {
  const answered = await whatever(bytes, playBytes, 300)
  expect(answered).toBeGreaterThan(200)
}, 120_000)
