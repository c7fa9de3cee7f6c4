import { expect, it } from 'vitest'
import { calls, requests } from './arbitraries/calls.ts'
import { playCalls } from './play.ts'
import { tryService } from './trial.ts'

const whatever = tryService()

it('requests of every operation, right or wrong, are answered as documented', async () => {
  const answered = await whatever(requests, playCalls, 120)
  expect(answered).toBeGreaterThan(300)
}, 120_000)

it('a start of any draft is answered as documented', async () => {
  const answered = await whatever(
    calls.startPreviewChat.map((start) => [start]),
    playCalls,
    250,
  )
  expect(answered).toBe(250)
}, 120_000)
