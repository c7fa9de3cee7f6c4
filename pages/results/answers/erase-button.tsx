import { useRef, useState } from 'preact/hooks'
import { Refusal } from '../state/ask.ts'
import type { BoardProps } from '../state/board.ts'
import { inDigits } from '../state/figures.ts'

interface EraseButtonProps extends BoardProps {
  readonly ids: readonly string[]
  readonly onErased: () => void
}

/** Erases conversations once somebody has confirmed how many. */
export function EraseButton({ board, ids, onErased }: EraseButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isErasing, setErasing] = useState(false)
  const many = ids.length === 1 ? 'this conversation' : `these ${inDigits(ids.length)} conversations`
  const erase = async () => {
    setErasing(true)
    const { flowPath, ask, told, hinder } = board
    let erased = 0
    try {
      for (const id of ids) {
        await ask(flowPath(`/results/${encodeURIComponent(id)}`), { method: 'DELETE' }).catch(
          (error: unknown) => {
            // Somebody else was faster.
            if (!(error instanceof Refusal) || error.status !== 404) throw error
          },
        )
        erased++
      }
    } catch (error) {
      hinder(error)
    }
    dialog.current?.close()
    setErasing(false)
    told.value =
      erased === 1 ? 'One conversation is erased.' : `${inDigits(erased)} conversations are erased.`
    onErased()
  }
  return (
    <>
      <button type="button" class="bad" onClick={() => dialog.current?.showModal()}>
        Erase {ids.length === 1 ? '' : inDigits(ids.length)}
      </button>
      <dialog ref={dialog} aria-labelledby="erase-title">
        <h2 id="erase-title">Erase {many}?</h2>
        <p>
          What was said, the answers and the files are gone then, for good. Whoever is in the middle of such a
          conversation can not go on. What was counted stays.
        </p>
        <p class="ways">
          <button type="button" onClick={() => dialog.current?.close()}>
            Keep
          </button>
          <button type="button" class="bad strong" disabled={isErasing} onClick={() => void erase()}>
            Erase {many}
          </button>
        </p>
      </dialog>
    </>
  )
}
