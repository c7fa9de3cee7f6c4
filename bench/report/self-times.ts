import { rounded } from '../support/figures.ts'

/** What the profiler of Node tells, as far as it is read here. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: {
      readonly functionName: string
      readonly url: string
      readonly lineNumber: number
    }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** Time at the top of the stack, in percent of all that was busy, the most first. */
export function selfTimes({ nodes, samples, timeDeltas }: Profile) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const places = new Map<string, number>()
  const functions = new Map<string, number>()
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const { functionName, url, lineNumber } = frames.get(id)!
    // `dispatch` is the profiler's own.
    if (functionName === '(idle)' || (functionName === 'dispatch' && url === '')) continue
    const time = timeDeltas[index]!
    busy += time
    const name = functionName === '' ? '(anonymous)' : functionName
    add(places, placeOf(url, name), time)
    add(functions, url === '' ? name : `${name} ${shortened(url)}:${lineNumber + 1}`, time)
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

/** The folder of the service, the package, or the part of Node that a function belongs to. */
function placeOf(url: string, functionName: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native code'
  const [, folder] = /\/dist\/(src\/[^/]+|schemas)\b/.exec(url) ?? []
  const [, library] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url) ?? []
  return folder ?? library ?? (url.startsWith('node:') ? 'node' : shortened(url))
}

const shortened = (url: string) => url.replace(/^.*\/(?:dist|node_modules)\//, '')
