import type { DueSession } from '../../stores/conversation-store.ts'

/** Called with a session, as of the commit that set its timer, and the milliseconds until that is due. */
type DueSoonListener = (due: DueSession, inMs: number) => void

/** Tells who takes the turns of timers in this process of those that it may not leave to the next look at what is due. */
export interface DueSoon {
  readonly tell: DueSoonListener
  hear(listener: DueSoonListener): void
}

export function createDueSoon(): DueSoon {
  let heard: DueSoonListener = () => {}
  return {
    tell: (due, inMs) => heard(due, inMs),
    hear(listener) {
      heard = listener
    },
  }
}
