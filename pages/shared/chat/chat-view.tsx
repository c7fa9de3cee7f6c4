import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { speak, spoken } from '../words/speak.ts'
import { Avatar } from './avatar.tsx'
import { Bubble } from './bubbles.tsx'
import { ChatHeader, type ChatHeaderProps } from './chat-header.tsx'
import { type ChatModel, isCalm, type Reply } from './chat-model.ts'
import type { Entry } from './entry.ts'
import { InputView } from './inputs/input-view.tsx'
import { backgroundVideo, themeClass, themeVariables } from './theme.ts'

/** What a page shows beside a conversation. */
export interface ChatCompanion {
  /** The block whose messages are lit. */
  litBlock(): string | undefined
  /** Stands beside what was said. */
  showBeside(entry: Entry): ComponentChildren
  /** Stands before the entry of this number. */
  showBefore(index: number): ComponentChildren
  showAction(entry: Extract<Entry, { kind: 'action' }>): ComponentChildren
}

interface ChatViewProps extends ChatHeaderProps {
  readonly companion?: ChatCompanion
}

/** A conversation. */
export function ChatView({ model, companion, ...header }: ChatViewProps) {
  const { entries, revealed, input, phase, notice, streamed, theme, settings } = model
  const end = useRef<HTMLDivElement>(null)
  const ask = useRef<HTMLDivElement>(null)
  const shown = entries.value.slice(0, revealed.value)
  const asked = input.value
  useEffect(
    () => end.current?.scrollIntoView({ block: 'end' }),
    [shown.length, streamed.value, asked, notice.value],
  )
  useEffect(() => {
    // Phones would open their keyboard over what is to be read first.
    if (asked && shown.length > 2 && matchMedia('(pointer: fine)').matches)
      ask.current?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true })
  }, [asked])
  useEffect(() => void speak(settings.value), [settings.value])
  const isTyping = phase.value === 'busy' && streamed.value === ''
  const reply = (given: Reply) => void model.reply(given)
  const video = backgroundVideo(theme.value)
  return (
    <div
      class={`chat typebot-container ${themeClass(theme.value)}`}
      style={themeVariables(theme.value)}
      lang={spoken.value.language}
      dir={spoken.value.direction}
    >
      {video && (
        <video class="backdrop" src={video} autoplay={!isCalm()} muted loop playsInline tabIndex={-1} />
      )}
      <ProgressBar model={model} place="fixed Top" />
      <div class="frame typebot-chat-view">
        <ChatHeader model={model} {...header} />
        <ProgressBar model={model} place="absolute Top" />
        <div class="scroll">
          <div class="column">
            <div class="log typebot-chat-chunk" role="log" aria-live="polite" aria-label="Conversation">
              {shown.map((entry, index) => (
                <Fragment key={index}>
                  {companion?.showBefore(index)}
                  <EntryView entry={entry} model={model} companion={companion} />
                </Fragment>
              ))}
              {streamed.value !== '' && (
                <Line>
                  <div class="bubble host typebot-host-bubble plain">{streamed.value}</div>
                </Line>
              )}
            </div>
            {isTyping && (
              <div class="typing" role="status" aria-label="The answer is on its way">
                <i />
                <i />
                <i />
              </div>
            )}
            {notice.value && (
              <div class="notice" role="alert">
                <span>{notice.value.text}</span>
                {notice.value.label && (
                  <button type="button" class="quiet" onClick={notice.value.act}>
                    {notice.value.label}
                  </button>
                )}
              </div>
            )}
            {asked && phase.value === 'waiting' && (
              <div class="ask typebot-input-container" data-blockid={asked.id} ref={ask}>
                <InputView
                  key={`${entries.value.length} ${asked.id}`}
                  input={asked}
                  isPrefilled={settings.value.general?.isInputPrefillEnabled === true}
                  onReply={reply}
                  onUpload={model.upload}
                />
              </div>
            )}
            {phase.value === 'over' && (
              <div class="over">
                <span>This conversation has ended.</span>
                <button type="button" class="quiet" onClick={() => void model.restart()}>
                  Start again
                </button>
              </div>
            )}
            <div ref={end} class="end" />
          </div>
        </div>
        <ProgressBar model={model} place="absolute Bottom" />
      </div>
      <ProgressBar model={model} place="fixed Bottom" />
    </div>
  )
}

interface ProgressBarProps {
  readonly model: ChatModel
  readonly place: `${'fixed' | 'absolute'} ${'Top' | 'Bottom'}`
}

/** The progress, if this is where the theme wants it: on the window (`fixed`), or in the frame. */
function ProgressBar({ model: { progress, theme }, place }: ProgressBarProps) {
  const { isEnabled, position = 'absolute', placement = 'Top' } = theme.value.general?.progressBar ?? {}
  if (!isEnabled || progress.value === undefined || place !== `${position} ${placement}`) return null
  const percent = Math.round(Math.min(Math.max(progress.value, 0), 100))
  return (
    <div
      class="progress typebot-progress-bar-container"
      role="progressbar"
      aria-label="Progress"
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div class="typebot-progress-bar" style={{ width: `${percent}%` }} />
    </div>
  )
}

interface EntryViewProps {
  readonly entry: Entry
  readonly model: ChatModel
  readonly companion: ChatCompanion | undefined
}

function EntryView({ entry, model, companion }: EntryViewProps) {
  const { hostAvatar, guestAvatar } = model.theme.value.chat ?? {}
  switch (entry.kind) {
    case 'said':
      return (
        <Line
          isGuest
          avatar={guestAvatar?.isEnabled ? guestAvatar.url : undefined}
          blockId={entry.blockId}
          companion={companion}
          entry={entry}
        >
          <div class="bubble guest typebot-guest-bubble" data-testid="guest-bubble">
            <span class="unseen">You: </span>
            {entry.text}
          </div>
        </Line>
      )
    case 'note':
      return <p class="note">{entry.text}</p>
    case 'action':
      return companion?.showAction(entry) ?? null
    case 'way':
      return (
        <a class="way" href={entry.address} target="_blank" rel="noopener noreferrer">
          {entry.label}
        </a>
      )
    default:
      return (
        <Line
          avatar={hostAvatar?.isEnabled === false ? undefined : hostAvatar?.url}
          blockId={entry.message.id}
          companion={companion}
          entry={entry}
        >
          <Bubble
            message={entry.message}
            onEvent={(data) => void model.reply({ message: data, shown: '' })}
          />
        </Line>
      )
  }
}

interface LineProps {
  readonly isGuest?: boolean
  readonly avatar?: string | undefined
  readonly blockId?: string | undefined
  readonly companion?: ChatCompanion | undefined
  readonly entry?: Entry
  readonly children: ComponentChildren
}

function Line({ isGuest = false, avatar, blockId, companion, entry, children }: LineProps) {
  const isLit = blockId !== undefined && companion?.litBlock() === blockId
  return (
    <div class={`line ${isGuest ? 'guest-line' : ''} ${isLit ? 'lit' : ''}`} data-blockid={blockId}>
      {avatar && <Avatar url={avatar} />}
      {children}
      {entry && companion?.showBeside(entry)}
    </div>
  )
}
