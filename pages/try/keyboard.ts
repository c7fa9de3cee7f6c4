import { signal } from '@preact/signals'
import { read, write } from '../shared/browser-storage.ts'
import type { Workbench } from './state/workbench.ts'

const storageKey = 'flow-runtime/try/keys'

/** Who dictates says words, each letter of which would be a key. */
export const areKeysOn = signal(read('localStorage', storageKey) !== 'off')

export function switchKeys(isOn: boolean): void {
  areKeysOn.value = isOn
  write('localStorage', storageKey, isOn ? undefined : 'off')
}

/** Whether what has the focus takes letters. */
function takesLetters(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName)
}

/** Keys that do something outside text fields. */
export function listenToKeys(bench: Workbench): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || bench.isOpening.value) return
    // What is inside of a shadow root is the first of the path.
    const target = event.composedPath()[0]
    if (takesLetters(target)) {
      if (event.key === 'Escape' && target instanceof HTMLElement) target.blur()
      return
    }
    const act = areKeysOn.value && actions[event.key]
    if (!act) return
    event.preventDefault()
    act(bench)
  })
}

const step = (bench: Workbench, by: number) => {
  const last = bench.trial.moments.value.length - 1
  bench.chosenTurn.value = Math.max(0, Math.min(bench.turn.value + by, last))
}

const actions: Readonly<Record<string, (bench: Workbench) => void>> = {
  '/': () => document.getElementById('search')?.focus(),
  r: (bench) => void bench.retry(),
  '[': (bench) => step(bench, -1),
  ']': (bench) => step(bench, 1),
  n: ({ trial }) => trial.stepper.by(1),
  p: ({ trial }) => trial.stepper.by(-1),
  c: ({ trial }) => trial.stepper.goOn(),
}
