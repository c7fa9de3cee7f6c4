import type { ComponentChildren, RefObject } from 'preact'
import type { BoardProps } from '../state/board.ts'
import { inDigits } from '../state/figures.ts'

interface EraseDialogProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  /** What is erased, in words that stand behind the verb. */
  readonly many: string
  readonly isErasing: boolean
  readonly onErase: () => Promise<void>
  /** What else there is to know. */
  readonly children?: ComponentChildren
}

/** Asks whether so many conversations are to be erased. */
export function EraseDialog({ dialog, many, isErasing, onErase, children }: EraseDialogProps) {
  return (
    <dialog ref={dialog} aria-label={`Erase ${many}?`}>
      <h2>Erase {many}?</h2>
      {children}
      <p>
        What was said, the answers and the files are gone then, for good. Whoever is in the middle of such a
        conversation can not go on. What was counted stays.
      </p>
      <p class="ways">
        <button type="button" onClick={() => dialog.current?.close()}>
          Keep
        </button>
        <button type="button" class="bad strong" disabled={isErasing} onClick={() => void onErase()}>
          Erase {many}
        </button>
      </p>
    </dialog>
  )
}

export function tellErased({ told }: BoardProps['board'], erased: number): void {
  told.value = erased === 1 ? 'One conversation is erased.' : `${inDigits(erased)} conversations are erased.`
}
