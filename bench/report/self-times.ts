import { toSourcePositions } from '../../src/source-positions.ts'
import { rounded } from '../support/figures.ts'

/** What the profiler of Node tells, as far as it is read here. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: {
      readonly functionName: string
      readonly url: string
      readonly lineNumber: number
      readonly columnNumber: number
    }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Time at the top of the stack, in percent of all that was busy, the most first. */
export function selfTimes({ nodes, samples, timeDeltas }: Profile) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, { ...callFrame, place: placeOf(callFrame) }]))
  const places = new Map<string, number>()
  const functions = new Map<string, number>()
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const { functionName, url, place } = frames.get(id)!
    // `dispatch` is the profiler's own.
    if (functionName === '(idle)' || (functionName === 'dispatch' && url === '')) continue
    const time = timeDeltas[index]!
    busy += time
    const name = functionName === '' ? '(anonymous)' : functionName
    add(places, ownerOf(place, name), time)
    add(functions, url === '' ? name : `${name} ${shortened(place)}`, time)
  }
  const inPercent = (times: Map<string, number>) =>
    [...times]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, time]) => ({ name, '%': rounded((100 * time) / busy) }))
  return { byPlace: inPercent(places), byFunction: inPercent(functions) }
}

function add(times: Map<string, number>, name: string, time: number): void {
  times.set(name, (times.get(name) ?? 0) + time)
}

/** Where a function is, in the sources of the service or in the file of a package; empty for what is native. */
function placeOf({ url, lineNumber, columnNumber }: Profile['nodes'][number]['callFrame']): string {
  return url === '' ? '' : toSourcePositions(`${url}:${lineNumber + 1}:${columnNumber + 1}`)
}

/** The folder of the service, the package, or the part of Node that a function belongs to. */
function ownerOf(place: string, functionName: string): string {
  if (place === '') return functionName.startsWith('(') ? functionName : 'native code'
  const [, library] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(place) ?? []
  const [, folder] = /\/(src\/[^/:]+|schemas)\b/.exec(place) ?? []
  return library ?? folder ?? (place.startsWith('node:') ? 'node' : shortened(place))
}

const shortened = (place: string) =>
  place.replace(/^.*?\/(?=src\/|schemas\/|node_modules\/)/, '').replace(/:\d+$/, '')
