import { useRef, useState } from 'preact/hooks'
import { RefusedError } from '../../../../client/client.ts'
import { fillIn, words } from '../../words/speak.ts'

/** A file that the service has. */
export interface Uploaded {
  readonly name: string
  readonly address: string
}

/** Files that are uploaded as soon as they are chosen: several, or the one that was chosen last. */
export function useUploads(onUpload: (file: File) => Promise<string>, areSeveral = true) {
  const [files, setFiles] = useState<readonly Uploaded[]>([])
  const [underWay, setUnderWay] = useState(0)
  const [problem, setProblem] = useState<string>()
  /** How often all was cleared: what was under way then is not wanted any more. */
  const clearings = useRef(0)
  const upload = async (file: File): Promise<string | undefined> => {
    const { current } = clearings
    const isWanted = () => current === clearings.current
    setUnderWay((count) => count + 1)
    setProblem(undefined)
    try {
      const address = await onUpload(file)
      return isWanted() ? address : undefined
    } catch (error) {
      if (!isWanted()) return undefined
      // A refusal has the words that the flow has for it.
      const { message, errors } = (error instanceof RefusedError && error.status < 429 && error.problem) || {}
      setProblem(
        message && !errors
          ? `${file.name}: ${message}`
          : fillIn(words.value.uploadFailed, { file: file.name }),
      )
      return undefined
    } finally {
      if (isWanted()) setUnderWay((count) => count - 1)
    }
  }
  const take = async (chosen: Iterable<File>) => {
    for (const file of chosen) {
      const address = await upload(file)
      if (address !== undefined)
        setFiles((before) => [...(areSeveral ? before : []), { name: file.name, address }])
    }
  }
  return {
    files,
    isBusy: underWay > 0,
    problem,
    upload,
    take,
    clear() {
      clearings.current += 1
      setFiles([])
      setUnderWay(0)
      setProblem(undefined)
    },
    onPick: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      void take([...(currentTarget.files ?? [])])
      currentTarget.value = ''
    },
  }
}

type UploadListProps = Pick<ReturnType<typeof useUploads>, 'files' | 'isBusy' | 'problem'>

/** What has come of the files so far. */
export function UploadList({ files, isBusy, problem }: UploadListProps) {
  return (
    <>
      <div class="upload-list" aria-live="polite">
        {files.map(({ name, address }) => (
          <span key={address} class="file-name" dir="auto">
            {name}
          </span>
        ))}
        {isBusy && <span>{words.value.uploading}</span>}
      </div>
      <div class="problem" role="alert">
        {problem}
      </div>
    </>
  )
}
