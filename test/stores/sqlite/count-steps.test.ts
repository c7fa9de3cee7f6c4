import { expect, it, onTestFinished } from 'vitest'
import { hourMs } from '../../../src/stores/counts/turn-facts.ts'
import { fixedNow } from '../../support/fixed-ports.ts'
import { liveSession } from '../contracts/conversation-store.ts'
import { openEmbedded } from './embedded-store.ts'

/** How many turns a step leaves, of so many that started conversations with flows. */
async function leftBy(turns: number, flows: number): Promise<number> {
  const { open, counts, close } = await openEmbedded()
  const store = open()
  onTestFinished(() => store.close())
  onTestFinished(() => close())
  for (let nth = 0; nth < turns; nth++) {
    const happened = ['shown', 'b1']
    const facts = { flowId: `f${nth % flows}`, version: 'v1', hour: Math.floor(fixedNow / hourMs), happened }
    const counted = { facts, places: () => ['b1'] }
    await store.start({ session: liveSession(`s${nth}`), results: [], counted })
  }
  const isMore = await counts.fold()
  let counted = 0
  for (let flow = 0; flow < flows; flow++) {
    const found = await counts.sum({ flowId: `f${flow}`, from: 0, until: 1e7, settled: 0 })
    for (const { count } of found) counted += count
  }
  expect(isMore).toBe(counted < turns)
  return turns - counted
}

it('takes fewer turns in a step of counting where each is counted apart', async () => {
  expect(await leftBy(230, 230)).toBe(30)
  expect(await leftBy(230, 200)).toBe(0)
})
