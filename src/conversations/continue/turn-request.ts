import type { ContinueChatBody } from '../../../schemas/continue-chat.ts'
import type { OperatorAct } from '../../engine/walk/take-over.ts'
import type { SessionChannel, Timer } from '../../sessions/session.ts'
import type { Logged, Repeatable } from '../request.ts'

/** A continue, or a timer or an operator in its place. */
export interface TurnRequest extends Logged, Pick<Repeatable, 'idempotency'> {
  readonly body: ContinueChatBody
  /** Takes the turn in the place of a visitor. */
  readonly timer?: Timer | undefined
  /** The same, of an operator. */
  readonly act?: OperatorAct | undefined
  /** Whether a client sends back what a block had asked of it before a person came, of whom it may know nothing. */
  readonly isOutcome?: true | undefined
  /** Of a message that came by a messenger. */
  readonly channel?: Pick<SessionChannel, 'to' | 'heard' | 'pressed' | 'files'> | undefined
}
