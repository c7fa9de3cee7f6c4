import { AnswerRows } from './answer-rows.ts'
import { ContactRows } from './contacts/contact-rows.ts'
import { CountRows } from './counts/count-rows.ts'
import { DefinitionRows } from './definition-rows.ts'
import { FlowRows } from './flow-rows.ts'
import { openEndpointRows } from './outgoing/endpoint-rows.ts'
import { InboxRows } from './outgoing/inbox-rows.ts'
import { OutboxRows } from './outgoing/outbox-rows.ts'
import { ResultRows } from './results/result-rows.ts'
import type { RowsContext } from './rows-context.ts'
import { SessionRows } from './session-rows.ts'
import { Sweeper } from './sweeper.ts'
import { TurnRows } from './turn-rows.ts'

export type Rows = ReturnType<typeof openRows>

/** All rows by the names that requests have for them. Methods run one at a time, each inside a transaction. */
export function openRows(context: RowsContext) {
  const sessions = new SessionRows(context)
  const answers = new AnswerRows(context)
  const results = new ResultRows(context)
  const contacts = new ContactRows(context)
  const definitions = new DefinitionRows(context)
  const counts = new CountRows(context)
  const outbox = new OutboxRows(context)
  const inbox = new InboxRows(context)
  const flows = new FlowRows(context, outbox)
  const ofEndpoints = { context, flows, outbox, inbox }
  sessions.revive()
  return {
    sessions,
    answers,
    results,
    contacts,
    definitions,
    counts,
    outbox,
    inbox,
    flows,
    webhook: openEndpointRows('webhook', ofEndpoints),
    channel: openEndpointRows('channel', ofEndpoints),
    turns: new TurnRows(context, { sessions, answers, results, contacts, counts, outbox, inbox }),
    sweeper: new Sweeper(context, { definitions, outbox, inbox }),
  }
}
