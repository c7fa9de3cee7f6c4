import { useRef, useState } from 'preact/hooks'
import { Refusal } from '../state/ask.ts'
import type { BoardProps } from '../state/board.ts'
import { inDigits } from '../state/figures.ts'
import { EraseDialog, tellErased } from './erase-dialog.tsx'

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
    const { flowPath, ask, hinder } = board
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
    tellErased(board, erased)
    onErased()
  }
  return (
    <>
      <button type="button" class="bad" onClick={() => dialog.current?.showModal()}>
        Erase {ids.length === 1 ? '' : inDigits(ids.length)}
      </button>
      <EraseDialog dialog={dialog} many={many} isErasing={isErasing} onErase={erase} />
    </>
  )
}
