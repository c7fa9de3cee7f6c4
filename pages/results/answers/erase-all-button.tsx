import { useRef, useState } from 'preact/hooks'
import { Refusal } from '../state/ask.ts'
import type { BoardProps } from '../state/board.ts'
import { inDigits } from '../state/figures.ts'
import { EraseDialog, tellErased } from './erase-dialog.tsx'

interface EraseAllButtonProps extends BoardProps {
  readonly onErased: () => void
}

/** Erases all that the table shows, on whatever page, once somebody has confirmed how many the service has counted, and never more. */
export function EraseAllButton({ board, onErased }: EraseAllButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [found, setFound] = useState(0)
  const [hasGrown, setGrown] = useState(false)
  const { ask, askJson, flowPath, pages, hinder } = board
  const many = found === 1 ? 'the one that matches' : `all ${inDigits(found)} that match`
  const whileBusy = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      dialog.current?.close()
      hinder(error)
    }
    setBusy(false)
  }
  const count = async () => {
    const { count: counted } = await askJson<{ count: number }>(flowPath('/results/count', pages.query()))
    setFound(counted)
  }
  const open = () =>
    whileBusy(async () => {
      setGrown(false)
      await count()
      dialog.current?.showModal()
    })
  const erase = () =>
    whileBusy(async () => {
      const query = pages.query()
      const which = Object.keys(query).length > 0 ? query : { all: 'true' }
      const path = flowPath('/results', { ...which, count: String(found) })
      try {
        const { deleted } = await (await ask(path, { method: 'DELETE' })).json()
        dialog.current?.close()
        tellErased(board, deleted)
        onErased()
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 409) throw error
        await count()
        setGrown(true)
      }
    })
  return (
    <>
      <button type="button" class="bad" disabled={isBusy} onClick={() => void open()}>
        Erase all that match
      </button>
      <EraseDialog dialog={dialog} many={many} isErasing={isBusy || found === 0} onErase={erase}>
        {hasGrown && <p role="alert">More match now than a moment ago, so none is erased yet.</p>}
      </EraseDialog>
    </>
  )
}
