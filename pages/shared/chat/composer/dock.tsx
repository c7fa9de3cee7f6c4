import { words } from '../../words/speak.ts'
import type { ChatModel } from '../chat-model.ts'
import type { Notice } from '../entry.ts'
import { Composer } from './composer.tsx'

interface DockProps {
  readonly model: ChatModel
  readonly question: string | undefined
  /** Whether details for authors are shown. */
  readonly isDetailed: boolean
  /** Leads to bubbles that are out of sight; undefined where none are. */
  readonly onShowNew: (() => void) | undefined
}

/** What stands below a conversation, and is always in sight. */
export function Dock({ model, question, isDetailed, onShowNew }: DockProps) {
  const { phase, notice, draft, entries } = model
  const isOver = phase.value === 'over'
  const neverBegan = phase.value === 'failed' && entries.value.length === 0
  return (
    <div class="dock">
      {onShowNew && (
        <button type="button" class="new-messages" onClick={onShowNew}>
          {words.value.newMessages} ↓
        </button>
      )}
      <div role="alert">{notice.value && <NoticeView notice={notice.value} isDetailed={isDetailed} />}</div>
      <div role="status">
        {isOver && (
          <div class="over">
            <span>{words.value.ended}</span>
            <button type="button" class="quiet" onClick={() => void model.restart()}>
              {words.value.startAgain}
            </button>
          </div>
        )}
      </div>
      {/* Words that nobody asked for can still be taken along. */}
      {(!(isOver || neverBegan) || draft.value !== '') && <Composer model={model} question={question} />}
    </div>
  )
}

interface NoticeViewProps extends Pick<DockProps, 'isDetailed'> {
  readonly notice: Notice
}

function NoticeView({ notice: { text, detail, label, act }, isDetailed }: NoticeViewProps) {
  return (
    <div class="notice">
      <span dir="auto">{text}</span>
      {isDetailed && detail && <small>{detail}</small>}
      {label && (
        <button type="button" class="quiet" onClick={act}>
          {label}
        </button>
      )}
    </div>
  )
}
