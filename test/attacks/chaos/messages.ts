import { setTimeout as sleep } from 'node:timers/promises'
import { echoesOf, saidBy } from '../../support/providers/echoing.ts'
import { startFakeTelegram } from '../../support/providers/fake-telegram.ts'
import { startFakeWhatsApp } from '../../support/providers/fake-whatsapp.ts'
import { checkMessages, type MessageViolations, type Person, type Said } from './check-messages.ts'
import { ask, type Fault, messageFaults, type Struck, strikeEach } from './faults.ts'
import { readAsOperator } from './run-chaos.ts'
import { startWorld, type World } from './world.ts'

export interface MessagesReport {
  /** Messages that were acknowledged. */
  readonly acknowledged: number
  /** Messages that people were shown, and how many of them once more. */
  readonly shown: number
  readonly repeated: number
  readonly faults: ReadonlyMap<string, number>
  readonly violations: MessageViolations & { readonly refused: readonly string[] }
}

interface MessagesOptions {
  readonly dist: string
  /** On each of the two messengers. */
  readonly people: number
  /** Of each of them. */
  readonly messagesEach: number
  /** For which they talk, when nothing keeps them waiting. */
  readonly seconds: number
  /** Other faults than usual: then no process sleeps. */
  readonly faults?: readonly Fault[]
  /** How long what is under way is waited for at most; until all is done unless given. */
  readonly settleMs?: number
}

/** All that messengers may do, and more often than they do it. */
const misbehaviour = { twice: 0.3, toTwo: 0.3, late: 0.2, busy: 0.05, broken: 0.05, silent: 0.1 }

/** Longer than the leases of messages that come in, and of those that go out. */
const pauseMs = 62_000

/** After the last fault: what leases take, and the retries. */
const settleMs = 120_000

/** Between faults, so that most of what is sent is sent while nothing goes wrong. */
const restMs = 6500

/** Before and behind a fault, in which a process may not have noted what it had sent: longer than that takes on a busy machine. */
const doubtMs = { before: 3000, behind: 1500 }

/** Nobody says more before so many are answered, unless that takes long: no machine is too slow for what people say. */
const mostUnanswered = 3
const patienceMs = 5000

/** Numbers of people begin so. */
const prefixes = { telegram: '7000', whatsapp: '4915' } as const

/** Lets people talk on messengers that misbehave while things go wrong, and checks what they were told once all is well again. */
export async function runMessageChaos(options: MessagesOptions): Promise<MessagesReport> {
  const { dist, people, messagesEach, seconds, faults } = options
  const telegram = await startFakeTelegram({ misbehaviour })
  const whatsapp = await startFakeWhatsApp({ misbehaviour, batch: 3 })
  const fakes = { telegram, whatsapp }
  const world = await startWorld({
    dist,
    messengers: {
      accounts: [
        { id: 'bot', type: 'telegram', data: telegram.account },
        { id: 'number', type: 'whatsapp', data: whatsapp.account },
      ],
      channels: {
        telegram: { account: 'bot', flow: 'echoing' },
        whatsapp: { account: 'number', flow: 'echoing' },
      },
    },
  })
  try {
    const talkers = (['telegram', 'whatsapp'] as const).flatMap((messenger) => {
      fakes[messenger].urls.push(`${world.address}/v1/channels/${messenger}/webhook`)
      return Array.from({ length: people }, (_, nth) => {
        const id = prefixes[messenger] + String(100_000 + nth)
        return { messenger, id, name: `${messenger} ${id}`, said: [] as Said[] }
      })
    })

    const countShown = { telegram: counterOf(telegram.shown), whatsapp: counterOf(whatsapp.accepted) }

    /** On WhatsApp an answer is one message. */
    const unanswered = ({ messenger, id, said }: (typeof talkers)[number]) =>
      said.length - countShown[messenger](id) / (messenger === 'telegram' ? 2 : 1)

    async function say({ messenger, id, name, said }: (typeof talkers)[number]): Promise<void> {
      const each: Said = { text: `${name} ${said.length}`, saidAt: performance.now(), takenAt: Infinity }
      said.push(each)
      await fakes[messenger].sayText(id, each.text)
      each.takenAt = performance.now()
    }

    async function talk(talker: (typeof talkers)[number]): Promise<void> {
      const meanPauseMs = (seconds * 1000) / messagesEach
      while (talker.said.length < messagesEach) {
        await sleep(Math.random() * 2 * meanPauseMs)
        for (let ms = 0; ms < patienceMs && unanswered(talker) > mostUnanswered; ms += 200) await sleep(200)
        const atOnce = Math.random() < 0.1 ? 3 : 1
        const left = messagesEach - talker.said.length
        await Promise.all(Array.from({ length: Math.min(atOnce, left) }, () => say(talker)))
      }
    }

    const [first, ...others] = world.members
    const [struck, slept] = await Promise.all([
      strikeEach({ ...world, members: faults ? world.members : others }, faults ?? messageFaults, restMs),
      faults ? [] : sleepPastLeases(first),
      ...talkers.map(talk),
    ])
    await untilDone(world, options.settleMs ?? settleMs)
    // What is sent once more is so by then.
    await sleep(3000)
    const taken = await readTaken(world)
    const persons = talkers.map(({ messenger, id, name, said }): Person => {
      const own = taken.get(name) ?? []
      const messages = messenger === 'telegram' ? telegram.shown : whatsapp.accepted
      const shown = messages.filter(({ to }) => to === id)
      const bubbles = echoesOf(own)
      return {
        name,
        said,
        taken: own,
        answers: messenger === 'telegram' ? bubbles : joinedByTurns(bubbles),
        shown: shown.map((message) => ({ ...message, text: saidBy(message.body) })),
      }
    })
    const all = [...struck, ...slept]
    const failuresAt = (at: number) =>
      all
        .filter(({ began, ended }) => began - doubtMs.before < at && at < ended + doubtMs.behind)
        .map(({ name }) => name)
    const { repeated, violations } = checkMessages(persons, failuresAt)
    return {
      acknowledged: talkers.reduce((sum, { said }) => sum + said.length, 0),
      shown: telegram.shown.length + whatsapp.accepted.length,
      repeated,
      faults: countNames(all),
      violations: { ...violations, refused: [...telegram.refused, ...whatsapp.refused] },
    }
  } finally {
    await world.close()
    telegram.close()
    whatsapp.close()
  }
}

/** Counts messages to each person, of a list that grows. */
function counterOf(messages: readonly { readonly to: string }[]): (id: string) => number {
  const counts = new Map<string, number>()
  let counted = 0
  return (id) => {
    for (const { to } of messages.slice(counted)) counts.set(to, (counts.get(to) ?? 0) + 1)
    counted = messages.length
    return counts.get(id) ?? 0
  }
}

/** WhatsApp is sent what follows each other as one message. */
const joinedByTurns = (bubbles: readonly string[]) =>
  bubbles.flatMap((bubble, index) => (index % 2 === 0 ? [`${bubble}\n\n${bubbles[index + 1]}`] : []))

/** What is in doubt is what it was at when it fell asleep, and when it woke. */
async function sleepPastLeases(member: World['members'][number] | undefined): Promise<Struck[]> {
  const moment = (name: string) => ({
    name,
    began: performance.now(),
    ended: performance.now(),
    isOfServer: false,
  })
  await sleep(5000)
  const asleep = moment('a process that sleeps past the leases of messages')
  member?.signal('SIGSTOP')
  await sleep(pauseMs)
  const awake = moment('its waking')
  member?.signal('SIGCONT')
  return [asleep, awake]
}

async function untilDone({ postgres }: World, atMostMs: number): Promise<void> {
  const end = performance.now() + atMostMs
  while (performance.now() < end && (await ask(postgres, waitingRows)).length > 0) await sleep(500)
}

const waitingRows = `SELECT FROM inbox WHERE due IS NOT NULL UNION ALL SELECT FROM outbox WHERE due IS NOT NULL LIMIT 1`

/** What the turns of each person have taken. */
async function readTaken({ address }: World): Promise<ReadonlyMap<string, string[]>> {
  const taken = new Map<string, string[]>()
  let cursor: string | undefined = ''
  while (cursor !== undefined) {
    const path = `/v1/flows/echoing/results?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const page = (await readAsOperator(address + path)) as {
      results: { answers: { content: string }[] }[]
      nextCursor?: string
    }
    for (const { answers } of page.results) {
      const said = answers.map(({ content }) => content)
      const name = said[0]?.split(' ').slice(0, 2).join(' ') ?? ''
      // A second conversation of a person would begin to count anew.
      taken.set(name, [...(taken.get(name) ?? []), ...said])
    }
    cursor = page.nextCursor
  }
  return taken
}

function countNames(struck: readonly Struck[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { name } of struck) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
