import type { ByteString } from '../../lib/byte-string.ts'
import type { StoredConversation, TurnCommit } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { writeForChannel } from '../outgoing/channel-output.ts'
import { renderWhole } from '../response/render-appearance.ts'
import type { TurnRun } from '../turn/run-turn.ts'
import type { TurnRequest } from './turn-request.ts'

interface WrittenTurn {
  readonly run: TurnRun
  readonly answer: ByteString
  readonly commit: TurnCommit
}

/** A commit with what its turn says on the messenger that the session is held on, and with the message that it has heard. */
export async function sayOnChannel(
  { run, answer, commit }: WrittenTurn,
  { session: before, revision }: StoredConversation,
  { request, deps }: { readonly request: TurnRequest; readonly deps: ChatDependencies },
): Promise<TurnCommit> {
  const { turn, runner } = run
  const { program, variables } = turn.conversation.frames[0]
  const heard = before.channel && { ...before.channel, ...request.channel }
  const shown = {
    // One that has ended knows no contact any more.
    session: { ...commit.session, contact: before.contact, channel: heard },
    revision: revision + 1,
    response: answer,
    settings: async () =>
      (program.settings.constant ?? (await renderWhole(program.settings, turn, { runner, variables }))).value,
  }
  const { channel = heard, outgoing = [] } = (await writeForChannel(shown, deps)) ?? {}
  const said = [...(commit.outgoing ?? []), ...outgoing]
  return { ...commit, session: { ...commit.session, channel }, outgoing: said.length > 0 ? said : undefined }
}
