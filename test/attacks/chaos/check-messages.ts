/** Something that a person said, by the clock of `performance`. */
export interface Said {
  readonly text: string
  readonly saidAt: number
  /** When the service had acknowledged it. */
  takenAt: number
}

/** A message that a person was shown, and what its messenger knows of it. */
interface Shown {
  readonly text: string
  readonly at: number
  /** Whether whoever sent it was told nothing. */
  readonly isLost: boolean
  /** When the service had acknowledged a status of it. */
  readonly toldAt?: number
}

/** What has to be so whatever happened; empty when it is. */
export interface MessageViolations {
  /** Acknowledged, and no turn. */
  readonly missing: string[]
  /** Two turns. */
  readonly twice: string[]
  /** A turn before that of a message that was acknowledged before this one was sent. */
  readonly outOfOrder: string[]
  /** A turn that nobody asked for. */
  readonly unknown: string[]
  /** Bubbles that nobody was shown. */
  readonly unsaid: string[]
  /** Bubbles shown once more, though the service knew that they had arrived. */
  readonly again: string[]
  /** Bubbles shown behind later ones, or to somebody else. */
  readonly misplaced: string[]
}

/** One person on one messenger. */
export interface Person {
  readonly name: string
  readonly said: readonly Said[]
  /** What the turns have taken, in their order. */
  readonly taken: readonly string[]
  /** What the turns have answered, in its order. */
  readonly answers: readonly string[]
  readonly shown: readonly Shown[]
}

/** A status that was told as the message was on its way once more comes too late. */
const underWayMs = 1000

/** Names what may have kept a process at a moment from noting that something had been sent: a failure of it or of its database. */
export type FailuresAt = (at: number) => readonly string[]

export function checkMessages(people: readonly Person[], failuresAt: FailuresAt) {
  const found: MessageViolations & { repeated: number } = {
    ...{ missing: [], twice: [], outOfOrder: [], unknown: [], unsaid: [], again: [], misplaced: [] },
    repeated: 0,
  }
  for (const person of people) {
    checkTurns(person, found)
    found.repeated += checkBubbles(person, found, failuresAt)
  }
  const { repeated, ...violations } = found
  return { repeated, violations }
}

function checkTurns({ name, said, taken }: Person, found: MessageViolations): void {
  const places = new Map(taken.map((text, place) => [text, place]))
  const known = new Set(said.map(({ text }) => text))
  taken.forEach((text, place) => {
    if (!known.has(text)) found.unknown.push(`${name} ${text}`)
    if (places.get(text) !== place) found.twice.push(`${name} ${text}`)
  })
  for (const { text, takenAt } of said) {
    const place = places.get(text)
    if (place === undefined) {
      found.missing.push(`${name} ${text}`)
      continue
    }
    const overtaking = said.find(
      (later) => later.saidAt > takenAt && (places.get(later.text) ?? Number.POSITIVE_INFINITY) < place,
    )
    if (overtaking) found.outOfOrder.push(`${name} ${overtaking.text} before ${text}`)
  }
}

/** How many bubbles were shown once more. */
function checkBubbles(
  { name, answers, shown }: Person,
  found: MessageViolations,
  failuresAt: FailuresAt,
): number {
  const told = (each: Shown) => `${name} ${each.text} (${momentsOf(each, failuresAt)})`
  const about = (each: Shown, previous?: Shown) =>
    [told(each), ...(previous ? [told(previous)] : [])].join(' behind ')
  let repeated = 0
  let next = 0
  let previous: Shown | undefined
  for (const each of shown) {
    if (each.text === answers[next]) next += 1
    else if (each.text !== previous?.text) found.misplaced.push(about(each, previous))
    else {
      repeated += 1
      const isDoubtful = previous.isLost || failuresAt(previous.at).length > 0
      const isTold = previous.toldAt !== undefined && previous.toldAt + underWayMs < each.at
      if (!isDoubtful || isTold) found.again.push(about(each, previous))
    }
    previous = each
  }
  found.unsaid.push(...answers.slice(next).map((text) => `${name} ${text}`))
  return repeated
}

/** All that is known of how something was shown, in seconds. */
function momentsOf({ at, isLost, toldAt }: Shown, failuresAt: FailuresAt): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
  const failures = failuresAt(at)
  return [
    `shown at ${seconds(at)}`,
    isLost ? 'answer lost' : '',
    toldAt === undefined ? '' : `status taken at ${seconds(toldAt)}`,
    failures.length > 0 ? `during ${failures.join(' and ')}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}
