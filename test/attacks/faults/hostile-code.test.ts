import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltService, startBuiltService } from '../../support/built-service.ts'
import type { Json } from '../../support/json.ts'
import { codePlaces, endlessFlow, hostileCodes, hostileFlow, plainFlow } from './hostile-flows.ts'

/** Stands in the environment of the service, and nowhere else. */
const secret = 'dyz-4711-secret-of-the-host'

const cases = codePlaces.flatMap((place, p) =>
  hostileCodes.map((hostile, h) => ({ place, hostile, publicId: `flow-${p}-${h}` })),
)

const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
/** Where the host of the service writes its own warnings. */
const warnings = join(folder, 'warnings')
let service: BuiltService

beforeAll(async () => {
  for (const { place, hostile, publicId } of cases)
    writeFileSync(
      join(folder, `${publicId}.json`),
      JSON.stringify(hostileFlow(place, hostile.code, publicId)),
    )
  for (const flow of [endlessFlow, plainFlow])
    writeFileSync(join(folder, `${flow['id']}.json`), JSON.stringify(flow))
  writeFileSync(warnings, '')
  service = await startBuiltService({
    FLOWS_DIR: folder,
    SECRET_OF_HOST: secret,
    NODE_OPTIONS: `--redirect-warnings=${warnings}`,
  })
})

afterAll(async () => {
  const code = await service.stop()
  rmSync(folder, { recursive: true })
  expect(code).toBe(0)
})

async function post(path: string, body: Json) {
  const response = await fetch(service.address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ textBubbleContentFormat: 'markdown', ...body }),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) as Json }
}

/** The answer of the turn in which the code runs. */
async function runHostile(publicId: string, message: string | undefined) {
  const started = await post(`/v1/flows/${publicId}/startChat`, {})
  if (message === undefined) return started
  return post(`/v1/sessions/${String(started.body['sessionId'])}/continueChat`, { message })
}

const isAlive = async () => (await fetch(`${service.address}/health`)).status === 200

const errorsOf = ({ body }: { body: Json }) =>
  ((body['logs'] ?? []) as Json[]).filter(({ status }) => status === 'error')

const publicIdOf = (placeName: string, codeName: string) =>
  String(cases.find(({ place, hostile }) => place.name === placeName && hostile.name === codeName)?.publicId)

describe.each(codePlaces)('in $name', (place) => {
  it.each(hostileCodes)('$name does no harm', async ({ name, isCutOff }) => {
    const answer = await runHostile(publicIdOf(place.name, name), place.message)
    expect(answer.status).toBe(200)
    expect(answer.body['input']).toMatchObject({ id: place.asks })
    expect(answer.text).not.toContain(secret)
    expect(answer.text).not.toContain(process.execPath)
    const isEnded = isCutOff === 'everywhere' || (isCutOff === 'where it awaits' && place.mayAwait)
    if (isEnded) expect(errorsOf(answer).length).toBeGreaterThan(0)
    expect(await isAlive()).toBe(true)
  })
})

describe('while code of strangers runs', () => {
  it('everybody else is served', async () => {
    const order: string[] = []
    const hostile = Array.from({ length: 6 }, async () => {
      const { status } = await runHostile('flow-endless', undefined)
      order.push('hostile')
      return status
    })
    const health = isAlive().then(() => order.push('health'))
    const visit = async () => {
      const { body } = await post('/v1/flows/flow-plain/startChat', {})
      const path = `/v1/sessions/${String(body['sessionId'])}/continueChat`
      expect(await post(path, { message: 'Ada' })).toMatchObject({
        body: { messages: [{ content: { markdown: 'Hi Ada' } }] },
      })
      order.push('visit')
    }
    await Promise.all([health, visit()])
    expect(order.sort()).toEqual(['health', 'visit'])
    expect(await Promise.all(hostile)).toEqual([200, 200, 200, 200, 200, 200])
  })

  it('many turns that wait for it at once are nothing to warn of', async () => {
    const publicId = publicIdOf(codePlaces[0]!.name, 'an endless loop')
    const answers = Array.from({ length: 20 }, () => runHostile(publicId, codePlaces[0]!.message))
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
    expect(readFileSync(warnings, 'utf8')).toBe('')
  })

  it('the rest of the turns is as it would be', async () => {
    const { body } = await runHostile('flow-endless', undefined)
    expect(body['messages']).toMatchObject([{ content: { markdown: 'still here' } }])
  })
})
