import { useEffect, useRef, useState } from 'preact/hooks'
import { words } from '../../words/speak.ts'

/** Records until it is pressed again. */
export function RecordButton({ onRecording }: { readonly onRecording: (file: File) => void }) {
  const [recorder, setRecorder] = useState<MediaRecorder>()
  const [isRefused, setRefused] = useState(false)
  const isGone = useRef(false)
  const begin = async () => {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      // A browser may ask for as long as somebody thinks it over.
      if (isGone.current) close(stream)
      else setRecorder(record(stream, onRecording))
    } catch {
      // No microphone, or none for this page.
      setRefused(true)
    }
  }
  // A question that is gone takes its recording along.
  useEffect(() => () => recorder && discard(recorder), [recorder])
  useEffect(
    () => () => {
      isGone.current = true
    },
    [],
  )
  const end = () => {
    recorder?.stop()
    setRecorder(undefined)
  }
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-pressed={recorder !== undefined}
        onClick={recorder ? end : begin}
      >
        {recorder ? words.value.stopAndSend : words.value.record}
      </button>
      <span role="alert">{isRefused && words.value.noMicrophone}</span>
    </>
  )
}

function record(stream: MediaStream, onRecording: (file: File) => void): MediaRecorder {
  const recorder = new MediaRecorder(stream)
  const pieces: Blob[] = []
  recorder.ondataavailable = ({ data }) => pieces.push(data)
  recorder.onstop = () => {
    close(stream)
    const type = recorder.mimeType.split(';')[0] ?? 'audio/webm'
    onRecording(new File(pieces, 'recording', { type }))
  }
  recorder.start()
  return recorder
}

function discard(recorder: MediaRecorder): void {
  if (recorder.state === 'inactive') return
  recorder.onstop = null
  close(recorder.stream)
}

function close(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
