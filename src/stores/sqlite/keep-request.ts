import { writeMemory } from '../codec/contact-memory.ts'
import { everyPayload, type TurnWrite } from '../conversations/conversation-table.ts'
import { writeFacts } from '../counts/turn-facts.ts'
import type { KeepRequest } from './thread/turn-rows.ts'

/** The message that keeps a turn, without what there is none of. */
export function keepRequestOf(
  { id, text, revision, results, contact, droppedPayload, dueIn, outgoing, facts }: TurnWrite,
  fateOfClaim: Pick<KeepRequest, 'answer' | 'dropped'>,
): KeepRequest {
  return {
    session: {
      id,
      text,
      revision,
      ...(droppedPayload < everyPayload && { droppedPayload }),
      ...(dueIn !== undefined && { dueIn }),
    },
    ...(results.length > 0 && { results }),
    ...(outgoing && { outgoing }),
    ...(facts && { facts: writeFacts(facts) }),
    ...(contact && { contact: { ...contact, memory: contact.memory && writeMemory(contact.memory) } }),
    ...fateOfClaim,
  }
}
