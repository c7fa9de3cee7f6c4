import { useLayoutEffect, useRef } from 'preact/hooks'
import { lazy } from '../../lazy.tsx'
import { words } from '../../words/speak.ts'
import type { ChatModel } from '../chat-model.ts'
import { UploadList, useUploads } from '../inputs/uploads.tsx'
import { fieldFor, isTyped } from './typed-inputs.ts'

const RecordButton = lazy(async () => (await import('../inputs/record-button.tsx')).RecordButton)

interface ComposerProps {
  readonly model: ChatModel
  /** Id of the element with the question. */
  readonly question: string | undefined
}

/**
 * The field that stays while a conversation lasts, so that words can be typed at any time and phones keep their keyboard
 * open. It sends when something asks for words, or the service waits before it goes on.
 */
export function Composer({ model, question }: ComposerProps) {
  const { draft, input, phase } = model
  const field = useRef<HTMLTextAreaElement>(null)
  const uploads = useUploads(model.upload)
  const { files } = uploads
  const waiting = phase.value === 'waiting' ? input.value : undefined
  const asked = isTyped(waiting) ? waiting : undefined
  const { label, isLong, labels, ...keys } = asked
    ? fieldFor(asked)
    : { label: words.value.yourMessage, isLong: false, labels: {} }
  const { attachments, audioClip } = (asked?.type === 'text input' && asked.options) || {}
  const text = draft.value
  const isHeard = asked !== undefined || phase.value === 'asleep'
  // Only the page of a flow knows it.
  const isTooLong = text.length > Number(document.documentElement.dataset['longest'])
  const canSend = isHeard && !isTooLong && !uploads.isBusy && (text.trim() !== '' || files.length > 0)
  // Files belong to one question, and stay until it is answered.
  const last = useRef(asked)
  useLayoutEffect(() => {
    if (!asked || asked === last.current) return
    last.current = asked
    uploads.clear()
  }, [asked])

  const send = () => {
    if (!canSend) return
    const attachedFileUrls = files.map(({ address }) => address)
    const shown = [text, ...files.map(({ name }) => name)].filter(Boolean).join('\n')
    const message = attachedFileUrls.length > 0 ? { type: 'text' as const, text, attachedFileUrls } : text
    void model.reply({ message, shown, typed: text })
    field.current?.focus()
  }
  return (
    <form
      class={asked ? 'composer ask typebot-input-container' : 'composer'}
      data-blockid={asked?.id}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <UploadList {...uploads} problem={isTooLong ? words.value.tooLong : uploads.problem} />
      <div class="field-row typebot-input">
        <textarea
          ref={field}
          class="field text-input"
          // Empty, it would begin on the left in any language.
          dir={text ? 'auto' : undefined}
          rows={isLong ? 3 : 1}
          enterkeyhint={isLong ? 'enter' : 'send'}
          aria-label={labels.placeholder ?? label}
          aria-describedby={asked && question}
          placeholder={labels.placeholder ?? `${label} …`}
          value={text}
          onInput={({ currentTarget }) => {
            draft.value = currentTarget.value
          }}
          onKeyDown={(event) => {
            const { key, isComposing, shiftKey, ctrlKey, metaKey } = event
            if (key !== 'Enter' || isComposing || (isLong ? !(ctrlKey || metaKey) : shiftKey)) return
            event.preventDefault()
            send()
          }}
          {...keys}
        />
        <button
          type="submit"
          class="send typebot-button"
          disabled={!canSend}
          // What asks for something else has a button of its own.
          hidden={waiting !== undefined && !asked}
          // The focus stays in the field, and the keyboard of a phone open.
          onMouseDown={(event) => event.preventDefault()}
        >
          {labels.button ?? words.value.send}
        </button>
      </div>
      {(attachments?.isEnabled || audioClip?.isEnabled) && (
        <div class="field-extras">
          {attachments?.isEnabled && (
            <label class="file-pick">
              {words.value.attachFiles}
              <input type="file" multiple onChange={uploads.onPick} />
            </label>
          )}
          {audioClip?.isEnabled && (
            <RecordButton
              onRecording={async (file) => {
                const url = await uploads.upload(file)
                if (url !== undefined)
                  await model.reply({ message: { type: 'audio', url }, shown: words.value.recording })
              }}
            />
          )}
        </div>
      )}
    </form>
  )
}
