import { useState } from 'preact/hooks'
import { words } from '../../words/speak.ts'
import type { InputOf, InputProps } from './input-props.ts'
import { UploadList, useUploads } from './uploads.tsx'

/** Files, chosen or dropped. */
export function FileInput({ input, onReply, onUpload }: InputProps<InputOf<'file input'>>) {
  const {
    labels,
    isRequired = true,
    isMultipleAllowed = false,
    allowedFileTypes,
    capture,
  } = input.options ?? {}
  const uploads = useUploads(onUpload, isMultipleAllowed)
  const { files } = uploads
  const [isOver, setOver] = useState(false)
  const accept = allowedFileTypes?.isEnabled ? allowedFileTypes.types?.join(',') : undefined
  const send = () => {
    const text = files.map(({ address }) => address).join(', ')
    onReply({
      message: text,
      shown: describe(
        files.map(({ name }) => name),
        labels?.success,
      ),
    })
  }
  return (
    <div class="field-form">
      <label
        class={`drop typebot-upload-input ${isOver ? 'drag-over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const dropped = [...(event.dataTransfer?.files ?? [])]
          void uploads.take(isMultipleAllowed ? dropped : dropped.slice(0, 1))
        }}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 16V5m-4 4 4-4 4 4M5 16v3h14v-3" />
        </svg>
        <span>
          {wordsOf(labels?.placeholder) ??
            (isMultipleAllowed ? words.value.chooseFiles : words.value.chooseFile)}
        </span>
        <input
          class="unseen"
          type="file"
          multiple={isMultipleAllowed}
          onChange={uploads.onPick}
          {...(accept && { accept })}
          {...(capture && { capture })}
        />
      </label>
      <UploadList {...uploads} />
      <div class="field-extras">
        <button
          type="button"
          class="send typebot-button"
          disabled={files.length === 0 || uploads.isBusy}
          onClick={send}
        >
          {labels?.button ?? words.value.send}
        </button>
        {files.length > 0 && (
          <button type="button" class="quiet" onClick={uploads.clear}>
            {labels?.clear ?? words.value.clear}
          </button>
        )}
        {!isRequired && files.length === 0 && (
          <button type="button" class="quiet" onClick={() => onReply({ message: undefined, shown: '' })}>
            {labels?.skip ?? words.value.skip}
          </button>
        )}
      </div>
    </div>
  )
}

type Success = NonNullable<NonNullable<InputOf<'file input'>['options']>['labels']>['success']

function describe(names: readonly string[], success: Success): string {
  if (names.length === 1) return success?.single ?? names.join('')
  return success?.multiple?.replace('{total}', String(names.length)) ?? names.join('\n')
}

/** Authors write HTML there, of which the words are shown. */
function wordsOf(markup: string | undefined): string | undefined {
  return (
    markup
      ?.replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim() || undefined
  )
}
