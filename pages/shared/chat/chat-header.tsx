import { words } from '../words/speak.ts'
import { Avatar } from './avatar.tsx'
import type { ChatModel } from './chat-model.ts'

export interface ChatHeaderProps {
  readonly model: ChatModel
  /** Name of the flow, where its settings give none. */
  readonly name?: string | undefined
  /** Closes what the conversation is shown in, where that can be closed. */
  readonly onClose?: () => void
}

/** Who talks, and whether they can be reached. Without a name and a button there is nothing to show. */
export function ChatHeader({ model, name: given, onClose }: ChatHeaderProps) {
  const { header = {}, metadata } = model.settings.value
  const { hostAvatar } = model.theme.value.chat ?? {}
  const name = header.name || metadata?.title || given
  const isClosable = onClose && header.isCloseShown !== false
  // A page that is only the conversation has no other heading.
  const title = name || words.value.conversation
  if (header.isEnabled === false || !(name || header.isRestartShown || isClosable))
    return <h1 class="unseen">{title}</h1>
  const { phase, isConnected, entries, person } = model
  const isConnecting = !isConnected.value || (phase.value === 'busy' && entries.value.length === 0)
  return (
    <header class="head">
      <Avatar url={hostAvatar?.isEnabled === false ? undefined : hostAvatar?.url} name={name} />
      <div class="head-words">
        <h1 class={name ? undefined : 'unseen'} dir="auto">
          {title}
        </h1>
        {(isConnecting || phase.value !== 'failed') && (
          <span class="state" data-state={isConnecting ? 'connecting' : 'online'}>
            {isConnecting ? words.value.connecting : (person.value ?? words.value.online)}
          </span>
        )}
      </div>
      {header.isRestartShown && (
        <button type="button" class="quiet" onClick={() => void model.restart()}>
          {words.value.startAgain}
        </button>
      )}
      {isClosable && (
        <button type="button" class="quiet round" aria-label={words.value.close} onClick={onClose}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M3 3l10 10M13 3L3 13" />
          </svg>
        </button>
      )}
    </header>
  )
}
