import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fixedNow } from '../../support/fixed-ports.ts'
import { liveSession } from '../contracts/conversation-store.ts'
import { openEmbedded, temporaryFolder } from './embedded-store.ts'

const megabyte = 1024 * 1024

it('brings what erasing changes into the file in parts, each of which turns can wait for', async () => {
  const folder = temporaryFolder()
  const embedded = await openEmbedded({ folder })
  onTestFinished(() => embedded.close())
  const { results } = embedded
  const ids = Array.from({ length: 4000 }, (_, index) => `r${(index * 7919) % 4000}`)
  await results.add(
    'f1',
    ids.map((id) => ({ id, flowId: 'f1', now: fixedNow, requestId: 'x'.repeat(500), lastChatSessionId: id })),
  )
  // Leaves an empty log.
  await embedded.folder.sweep()
  let page = await results.listNames('f1', {})
  let erased = 0
  for (;;) {
    const deleted = await results.delete(
      'f1',
      page.names.map(({ id }) => id),
    )
    erased += deleted.length
    if (page.nextCursor === undefined) break
    page = await results.listNames('f1', { cursor: page.nextCursor })
  }
  expect(erased).toBe(4000)
  expect(statSync(join(folder, 'data.db-wal')).size).toBeLessThan(2.5 * megabyte)
})

it('keeps the log short where turns come one by one, so that the end of a sweep finds little to copy', async () => {
  const folder = temporaryFolder()
  const embedded = await openEmbedded({ folder })
  onTestFinished(() => embedded.close())
  const store = embedded.open()
  for (let nth = 0; nth < 400; nth++) await store.start({ session: liveSession(`s${nth}`), results: [] })
  expect(statSync(join(folder, 'data.db-wal')).size).toBeLessThan(1.5 * megabyte)
})
