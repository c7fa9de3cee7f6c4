import { useState } from 'preact/hooks'
import type { InputOf, InputProps } from './input-props.ts'
import { RecordButton } from './record-button.tsx'
import { UploadList, useUploads } from './uploads.tsx'

/** Any text, with files or a recording where the flow takes them. */
export function TextInput({ input, isPrefilled, onReply, onUpload }: InputProps<InputOf<'text input'>>) {
  const { labels, isLong, inputMode, attachments, audioClip } = input.options ?? {}
  const [text, setText] = useState(isPrefilled ? (input.prefilledValue ?? '') : '')
  const uploads = useUploads(onUpload)
  const { files } = uploads
  const label = labels?.placeholder ?? 'Your answer'
  const isEmpty = text === '' && files.length === 0
  const send = () => {
    if (isEmpty || uploads.isBusy) return
    const attachedFileUrls = files.map(({ address }) => address)
    const shown = [text, ...files.map(({ name }) => name)].filter(Boolean).join('\n')
    const message = attachedFileUrls.length > 0 ? { type: 'text' as const, text, attachedFileUrls } : text
    onReply({ message, shown })
  }
  const common = {
    class: 'field',
    'aria-label': label,
    placeholder: labels?.placeholder ?? 'Type your answer …',
    value: text,
    ...(inputMode && { inputMode }),
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      setText(currentTarget.value),
  }
  return (
    <form
      class="field-form"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div class="field-row">
        {isLong ? (
          <textarea
            rows={4}
            {...common}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
            }}
          />
        ) : (
          <input type="text" autocomplete="off" {...common} />
        )}
        <button type="submit" disabled={isEmpty || uploads.isBusy}>
          {labels?.button ?? 'Send'}
        </button>
      </div>
      <div class="field-extras">
        {attachments?.isEnabled && (
          <label class="file-pick">
            Attach files
            <input type="file" multiple onChange={uploads.onPick} />
          </label>
        )}
        {audioClip?.isEnabled && (
          <RecordButton
            onRecording={async (file) => {
              const address = await uploads.upload(file)
              if (address !== undefined)
                onReply({ message: { type: 'audio', url: address }, shown: 'Recording' })
            }}
          />
        )}
      </div>
      <UploadList {...uploads} />
    </form>
  )
}
