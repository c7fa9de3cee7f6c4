import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { bubble, textInput, variable } from '../../fixtures/short-flows.ts'
import { startBuiltService } from '../../support/built-service.ts'
import { wholeDefinition } from '../../support/conformance.ts'

/** Gives drafts, and their sessions, 64 KiB each, which a dozen fill: live sessions, and their versions, have 512 KiB. */
const bytes = String(32 * 64 * 1024)

/** A version of the published flow. */
const version = (name: string) =>
  wholeDefinition({ id: 'shop', blocks: [textInput('said'), bubble('told', name)] })

/** A draft that takes room: its definition, and what its session holds. */
const draft = (nth: number) =>
  wholeDefinition({
    id: `draft-${nth}`,
    blocks: [bubble('padding', 'x'.repeat(8192)), textInput('said')],
    variables: [variable('Held')],
  })

async function startService() {
  const folder = await mkdtemp(join(tmpdir(), 'flood-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const publish = (name: string) => writeFile(join(folder, 'shop.json'), JSON.stringify(version(name)))
  await publish('first')
  const { address, stop } = await startBuiltService({
    FLOWS_DIR: folder,
    MEMORY_MAX_BYTES: bytes,
  })
  onTestFinished(async () => void (await stop()))
  const post = async (path: string, body: object) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ textBubbleContentFormat: 'markdown', ...body }),
    }
    const response = await fetch(address + path, init)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { post, publish }
}

it('A flood of previews leaves a live session alone, and the version that it began with', {
  timeout: 600_000,
}, async () => {
  const { post, publish } = await startService()
  const goOn = ({ body }: { body: Record<string, unknown> }) =>
    post(`/v1/sessions/${body['sessionId']}/continueChat`, { message: 'x' })
  const begun = await post('/v1/flows/shop/startChat', {})
  await publish('second')
  await vi.waitFor(
    async () => {
      const later = await goOn(await post('/v1/flows/shop/startChat', {}))
      expect(later.body['messages']).toMatchObject([{ content: { markdown: 'second' } }])
    },
    { timeout: 60_000, interval: 200 },
  )
  const start = (nth: number) =>
    post('/v1/flows/draft/preview/startChat', {
      flow: draft(nth),
      prefilledVariables: { Held: 'x'.repeat(8192) },
    })
  const [first] = await Promise.all(Array.from({ length: 200 }, (_, nth) => start(nth)))
  expect(await goOn(await start(201))).toMatchObject({ status: 200 })
  expect(await goOn(first!)).toMatchObject({ status: 404 })
  expect(await goOn(begun)).toMatchObject({
    status: 200,
    body: { messages: [{ content: { markdown: 'first' } }] },
  })
})
