import { type ComponentChildren, Fragment } from 'preact'
import { useEffect } from 'preact/hooks'
import { lazy } from '../lazy.tsx'
import { speak, spoken, words } from '../words/speak.ts'
import { Avatar } from './avatar.tsx'
import { Bubble } from './bubbles.tsx'
import { ChatHeader, type ChatHeaderProps } from './chat-header.tsx'
import type { ChatModel } from './chat-model.ts'
import { Dock } from './composer/dock.tsx'
import { isTyped } from './composer/typed-inputs.ts'
import { useFocus } from './composer/use-focus.ts'
import { useFollow } from './composer/use-follow.ts'
import { walkMessages } from './composer/walk-messages.ts'
import { type Entry, entryId } from './entry.ts'
import { InputView } from './inputs/input-view.tsx'
import { backgroundVideo, themeClass, themeVariables } from './theme.ts'

const Backdrop = lazy(async () => (await import('./media-bubbles.tsx')).Backdrop)

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
  const { entries, revealed, turnStart, input, phase, streamed, theme, settings } = model
  const { scroll, hasNew, showNew } = useFollow(model)
  const { chat, ...focusHandlers } = useFocus(model, !companion)
  const shown = entries.value.slice(0, revealed.value)
  const asked = phase.value === 'waiting' && !isTyped(input.value) ? input.value : undefined
  const questionAt = shown.findLastIndex(({ kind }) => kind === 'message')
  const question = questionAt < 0 ? undefined : entryId(questionAt)
  useEffect(() => void speak(settings.value), [settings.value])
  const isTyping = phase.value === 'busy' && streamed.value === ''
  const video = backgroundVideo(theme.value)
  return (
    <div
      ref={chat}
      class={`chat typebot-container ${themeClass(theme.value)}`}
      style={themeVariables(theme.value)}
      lang={spoken.value.language}
      dir={spoken.value.direction}
      {...focusHandlers}
    >
      {video && <Backdrop src={video} />}
      <ProgressBar model={model} place="fixed Top" />
      <div class="frame typebot-chat-view">
        <ChatHeader model={model} {...header} />
        <ProgressBar model={model} place="absolute Top" />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it too */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows walk through it */}
        <div class="scroll" ref={scroll} tabIndex={0} onKeyDown={walkMessages}>
          <div class="column">
            <div
              class="log typebot-chat-chunk"
              role="log"
              aria-live="polite"
              aria-label={words.value.conversation}
            >
              {settings.value.general?.aiDisclosure === true && (
                <p class="note disclosure">{words.value.aiDisclosure}</p>
              )}
              {shown.map((entry, index) => (
                <Fragment key={index}>
                  {companion?.showBefore(index)}
                  <EntryView id={entryId(index)} entry={entry} model={model} companion={companion} />
                </Fragment>
              ))}
            </div>
            {/* The log has it once it is whole, and announces it then, once. */}
            {streamed.value !== '' && (
              <Line>
                <div class="bubble host typebot-host-bubble plain" dir="auto">
                  {streamed.value}
                </div>
              </Line>
            )}
            <div role="status">
              {isTyping && (
                <div class="typing">
                  <span class="unseen">{words.value.answerComing}</span>
                  <i />
                  <i />
                  <i />
                </div>
              )}
            </div>
            {asked && (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend, and the question is one already
              <div
                class="ask typebot-input-container"
                data-blockid={asked.id}
                role="group"
                aria-describedby={question}
              >
                <InputView
                  // What comes meanwhile leaves what is chosen already.
                  key={`${turnStart.value} ${asked.id}`}
                  input={asked}
                  isPrefilled={settings.value.general?.isInputPrefillEnabled === true}
                  marked={model.marked.value?.[asked.id] ?? []}
                  onMark={(values) => {
                    model.marked.value = { [asked.id]: values }
                  }}
                  onReply={(reply) => void model.reply(reply)}
                  onUpload={model.upload}
                />
              </div>
            )}
          </div>
        </div>
        <Dock
          model={model}
          question={question}
          isDetailed={companion !== undefined}
          onShowNew={hasNew ? showNew : undefined}
        />
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
      aria-label={words.value.progress}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div class="typebot-progress-bar" style={{ width: `${percent}%` }} />
    </div>
  )
}

interface EntryViewProps {
  readonly id: string
  readonly entry: Entry
  readonly model: ChatModel
  readonly companion: ChatCompanion | undefined
}

function EntryView({ id, entry, model, companion }: EntryViewProps) {
  const { hostAvatar, guestAvatar } = model.theme.value.chat ?? {}
  const { popupBlockedButtonLabel } = model.settings.value.general?.systemMessages ?? {}
  switch (entry.kind) {
    case 'said':
      return (
        <Line
          id={id}
          isGuest
          avatar={guestAvatar?.isEnabled ? guestAvatar.url : undefined}
          blockId={entry.blockId}
          companion={companion}
          entry={entry}
        >
          <div class="bubble guest typebot-guest-bubble" data-testid="guest-bubble" dir="auto">
            {/* A direction of its own keeps it from being the letters that the bubble goes by. */}
            <span class="unseen" dir={spoken.value.direction}>
              {words.value.you}{' '}
            </span>
            {entry.text}
            {entry.isUnsent && <small class="unsent">{words.value.notSent}</small>}
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
          {popupBlockedButtonLabel || words.value.newTab}
        </a>
      )
    default:
      return (
        <Line
          id={id}
          avatar={hostAvatar?.isEnabled === false ? undefined : hostAvatar?.url}
          blockId={entry.message.id}
          companion={companion}
          entry={entry}
        >
          <Bubble
            message={entry.message}
            onEvent={(data) => {
              // A page may say it again when something else is asked, or nothing yet.
              if (model.phase.value === 'waiting' && !model.input.value)
                void model.reply({ message: data, shown: '' })
            }}
          />
          {'generatedBy' in entry.message && entry.message.generatedBy && (
            <small class="by-model">{words.value.byModel}</small>
          )}
        </Line>
      )
  }
}

interface LineProps {
  readonly id?: string
  readonly isGuest?: boolean
  readonly avatar?: string | undefined
  readonly blockId?: string | undefined
  readonly companion?: ChatCompanion | undefined
  readonly entry?: Entry
  readonly children: ComponentChildren
}

function Line({ id, isGuest = false, avatar, blockId, companion, entry, children }: LineProps) {
  const isLit = blockId !== undefined && companion?.litBlock() === blockId
  return (
    <div id={id} class={`line ${isGuest ? 'guest-line' : ''} ${isLit ? 'lit' : ''}`} data-blockid={blockId}>
      {avatar && <Avatar url={avatar} />}
      {children}
      {entry && companion?.showBeside(entry)}
    </div>
  )
}
