import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startBuiltService } from '../../support/built-service.ts'
import type { Json } from '../../support/json.ts'
import { describeWithPostgres, emptyDatabase, useDatabase } from '../../support/postgres/postgres-tests.ts'
import { echoesOf, echoing, saidBy } from '../../support/providers/echoing.ts'
import { startFakeTelegram } from '../../support/providers/fake-telegram.ts'
import { startFakeWhatsApp } from '../../support/providers/fake-whatsapp.ts'

/** All that messengers may do, and more often than they do it. */
const misbehaviour = { twice: 0.3, toTwo: 0.4, late: 0.3, busy: 0.1, broken: 0.05, silent: 0.1 }

const people = ['33612345678', '33712345679', '33812345670']

/** Said one after another, then all at once. */
const inOrder = ['a', 'b', 'c', 'd']
const atOnce = ['e', 'f', 'g', 'h']

/** Every failure of a message makes the next try later. */
const patient = { timeout: 150_000 }

async function startPictures(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': '4' }).end('\x89PNG', 'latin1')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Two processes on one database, both of which the messengers deliver to. */
async function openTwo(databaseUrl: string) {
  const telegram = await startFakeTelegram({ misbehaviour })
  const whatsapp = await startFakeWhatsApp({ misbehaviour, batch: 3 })
  for (const messenger of [telegram, whatsapp]) onTestFinished(() => messenger.close())
  const pictures = await startPictures()
  const folder = mkdtempSync(join(tmpdir(), 'channels-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'flows'))
  const fileOf = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content), { mode: 0o600 })
    return join(folder, name)
  }
  fileOf('flows/echoing.json', echoing(pictures))
  const variables = {
    DATABASE_URL: databaseUrl,
    FLOWS_DIR: join(folder, 'flows'),
    ADMIN_TOKEN: 'adm1n',
    PUBLIC_URL: 'https://flows.example',
    CREDENTIALS_FILE: fileOf('accounts.json', [
      { id: 'bot', type: 'telegram', data: telegram.account },
      { id: 'number', type: 'whatsapp', data: whatsapp.account },
    ]),
    CHANNELS_FILE: fileOf('channels.json', {
      telegram: { account: 'bot', flow: 'echoing' },
      whatsapp: { account: 'number', flow: 'echoing' },
    }),
    OUTBOUND_ALLOW: [telegram.account.baseUrl, whatsapp.account.baseUrl, pictures]
      .map((url) => new URL(url).host)
      .join(),
  }
  const services = await Promise.all([startBuiltService(variables), startBuiltService(variables)])
  for (const service of services) onTestFinished(() => void service.child.kill('SIGKILL'))
  for (const { address } of services) {
    telegram.urls.push(`${address}/v1/channels/telegram/webhook`)
    whatsapp.urls.push(`${address}/v1/channels/whatsapp/webhook`)
  }
  const read = async (path: string) => {
    const headers = { authorization: 'Bearer adm1n', connection: 'close' }
    const response = await fetch(`${services[0].address}/v1${path}`, { headers })
    expect(response.status).toBe(200)
    return (await response.json()) as Json
  }
  return { telegram, whatsapp, pictures, read }
}

/** What was said by each conversation, as its turns have taken it. */
async function readTaken(read: (path: string) => Promise<Json>): Promise<string[][]> {
  const { results } = (await read('/flows/echoing/results?limit=100')) as {
    results: { answers: { content: string }[] }[]
  }
  return results.map(({ answers }) => answers.map(({ content }) => content))
}

/** What one person was shown, without what was sent again because its answer was lost. */
const shownTo = (person: string, messages: readonly { to: string; body: Json }[]) =>
  messages
    .filter(({ to }) => to === person)
    .map(({ body }) => saidBy(body))
    .filter((said, index, all) => said !== all[index - 1])

describeWithPostgres('channels of two processes', (serverUrl) => {
  const databaseUrl = useDatabase(serverUrl)

  it('take each message once and answer it in order, whatever the messengers do', async () => {
    // A try before has left something.
    await emptyDatabase(databaseUrl())
    const { telegram, whatsapp, pictures, read } = await openTwo(databaseUrl())
    const talk = async (messenger: typeof telegram | typeof whatsapp, name: string) => {
      const say = (person: string, what: string) => messenger.sayText(person, `${name} ${person} ${what}`)
      await Promise.all(
        people.map(async (person) => {
          for (const what of inOrder) await say(person, what)
          await Promise.all(atOnce.map((what) => say(person, what)))
        }),
      )
    }
    await Promise.all([talk(telegram, 'telegram'), talk(whatsapp, 'whatsapp')])

    for (const [name, messages] of [
      ['telegram', telegram.shown],
      ['whatsapp', whatsapp.accepted],
    ] as const)
      for (const person of people) {
        const written = (what: string) => `${name} ${person} ${what}`
        const ofPerson = async () =>
          (await readTaken(read)).filter((answers) => answers[0]?.startsWith(written('')))
        const all = [...inOrder, ...atOnce].map(written)
        await expect.poll(async () => (await ofPerson()).flat().length).toBeGreaterThanOrEqual(all.length)
        const [taken = [], ...others] = await ofPerson()
        expect(others).toEqual([])
        expect(taken.slice(0, inOrder.length)).toEqual(inOrder.map(written))
        expect(taken.toSorted()).toEqual(all)
        await expect.poll(() => shownTo(person, messages), patient).toEqual(echoesOf(taken, pictures))
      }
    expect([telegram.answers, whatsapp.answers]).toEqual([[], []])
    expect([telegram.refused, whatsapp.refused]).toEqual([[], []])
    for (const name of ['telegram', 'whatsapp'])
      expect((await read(`/channels/${name}/deliveries?state=set%20aside`))['deliveries']).toEqual([])
  })
})
