import type { Change } from './altered-build.ts'

/** A build whose protocol is broken on purpose, to see that what is checked can fail. */
export interface BrokenBuild {
  readonly name: string
  /** Whether it takes processes that are killed for it to show. */
  readonly needsKills: boolean
  readonly changes: readonly Change[]
}

const table = 'src/stores/postgres/conversations'

export const brokenBuilds: readonly BrokenBuild[] = [
  {
    name: 'nobody waits for a turn that is under way',
    needsKills: false,
    changes: [
      {
        file: `${table}/acquire-statement.js`,
        from: `WHERE coalesce((SELECT l.token FROM leases l WHERE l.session_id = w.id AND l.deadline >= now), w.token) = w.token`,
        to: ``,
      },
      {
        file: `${table}/acquire-statement.js`,
        from: `WHERE l.deadline < excluded.deadline - $7 OR l.token = excluded.token`,
        to: ``,
      },
      {
        file: `${table}/commit-statement.js`,
        from: `WHERE (i.token IS NULL OR EXISTS (SELECT FROM freed f WHERE f.n = i.n)) AND`,
        to: `WHERE`,
      },
      { file: `${table}/commit-statement.js`, from: ` AND s.revision = a.revision - 1`, to: `` },
    ],
  },
  {
    name: 'the answer is kept apart from the turn',
    needsKills: true,
    changes: [
      { file: `${table}/commit-statement.js`, from: `AND k.answer IS NOT NULL`, to: `AND false` },
      {
        file: `${table}/postgres-conversation-table.js`,
        from: `return 'lost';`,
        to: `return 'lost';
        await new Promise((resolve) => setTimeout(resolve, 1000));
        if (turn.answer !== undefined)
            await this.#query(
                'UPDATE answers SET text = $3, token = NULL WHERE name = $1 AND token = $2',
                [turn.claim, turn.token, turn.answer]);`,
      },
    ],
  },
]

const queue = 'src/stores/postgres/outgoing/queue-statements.js'

/** Builds whose deliveries have to be found failing, with what is found. */
export const brokenOutboxes = [
  {
    name: 'an event under way is nobody’s',
    violation: 'again',
    changes: [{ file: queue, from: `(SELECT now FROM clock) + $3::bigint`, to: `least(0, $3::bigint)` }],
  },
  {
    name: 'an event does not wait for the one before it',
    violation: 'outOfOrder',
    changes: [{ file: queue, from: `ORDER BY e.number LIMIT 1`, to: `ORDER BY e.number DESC LIMIT 1` }],
  },
] as const

const receive = 'src/channels/receive.js'

/** Builds whose messages have to be found failing, with what is found; all but the last without a fault. */
export const brokenMessengers = [
  {
    name: 'a message under way is nobody’s, and names no turn',
    violation: 'twice',
    settleMs: 0,
    changes: [
      ...brokenOutboxes[0].changes,
      { file: 'src/channels/inbox/take-message.js', from: `message.id]))`, to: `Math.random()]))` },
      { file: 'src/channels/inbox/take-message.js', from: `heard === message.id`, to: `heard === ''` },
    ],
  },
  { ...brokenOutboxes[0], violation: 'again', settleMs: 0 },
  { ...brokenOutboxes[1], violation: 'misplaced', settleMs: 0 },
  {
    name: 'statuses of messages are of no interest',
    violation: 'again',
    // A message whose answer was lost waits for its status for 15 seconds.
    settleMs: 20_000,
    changes: [{ file: receive, from: `statuses.length > 0`, to: `false` }],
  },
  {
    name: 'a message is acknowledged before it is kept',
    violation: 'missing',
    settleMs: 40_000,
    changes: [
      {
        file: receive,
        from: `await inbox.put(said.map((message) => rowOfMessage(message, channel)));`,
        to: `inbox.put(said.map((message) => rowOfMessage(message, channel))).catch(() => undefined);`,
      },
    ],
  },
] as const
