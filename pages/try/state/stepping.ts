import { effect, type ReadonlySignal, signal } from '@preact/signals'
import type { TraceStep } from '../../../client/client.ts'
import type { Moment } from './moments.ts'

/** A place between two steps of a turn. */
export interface Position {
  /** Counted from 0, the start. */
  readonly turn: number
  /** How many steps of it are done. */
  readonly done: number
}

export type Stepper = ReturnType<typeof createStepper>

/**
 * Goes through the steps of turns, with breakpoints. The service has run a turn when its steps are known: what is stepped
 * through is what they did, and nothing runs anew.
 */
export function createStepper(moments: ReadonlySignal<readonly Moment[]>) {
  const position = signal<Position | undefined>(undefined)
  const breakpoints = signal<ReadonlySet<string>>(new Set())
  const stepsOf = (turn: number): readonly TraceStep[] => moments.value[turn]?.trace?.steps ?? []

  const go = (turn: number, done: number) => {
    position.value = done < stepsOf(turn).length ? { turn, done: Math.max(0, done) } : undefined
  }

  /** Goes to the first breakpoint of a turn that is not before a step, else to the end of the turn. */
  const run = (turn: number, from: number) => {
    const isStop = ({ block }: TraceStep, at: number) => at >= from && breakpoints.value.has(block.blockId)
    const at = stepsOf(turn).findIndex(isStop)
    go(turn, at === -1 ? Number.POSITIVE_INFINITY : at)
  }

  return {
    /** Undefined while whole turns are looked at. */
    position,
    /** Ids of blocks. */
    breakpoints,
    toggle(blockId: string): void {
      const next = new Set(breakpoints.value)
      if (!next.delete(blockId)) next.add(blockId)
      breakpoints.value = next
    },
    begin: (turn: number) => go(turn, 0),
    /** Stops a turn that has just come at its first breakpoint. */
    arrive: (turn: number) => run(turn, 0),
    by(steps: number): void {
      const { turn, done } = position.value ?? { turn: 0, done: Number.POSITIVE_INFINITY }
      go(turn, done + steps)
    },
    /** Goes on to the next breakpoint. */
    goOn(): void {
      if (position.value) run(position.value.turn, position.value.done + 1)
    },
    leave(): void {
      position.value = undefined
    },
    /** Is done when no turn is stepped through. */
    passed: () =>
      new Promise<void>((resolve) => {
        const stop = effect(() => {
          if (position.value) return
          resolve()
          queueMicrotask(() => stop())
        })
      }),
  }
}
