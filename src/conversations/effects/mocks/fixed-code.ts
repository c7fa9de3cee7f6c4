import type { CodeJob } from '../../../engine/model/effect-payloads.ts'
import type { MockWorld } from './mock-world.ts'

/** The job with the clock and the chance of a world, where those are fixed. Lines of the code keep their numbers. */
export function fixCode(job: CodeJob, world: MockWorld): CodeJob {
  const { now } = world
  const clock = now === undefined ? '' : clockAt(now)
  const chance = world.hasFixedChance ? chanceFrom(world.random() ?? 0) : ''
  return clock + chance === '' ? job : { ...job, body: `${clock}${chance}${job.body}` }
}

const clockAt = (now: number) =>
  `globalThis.Date=new Proxy(Date,{construct:(t,a,n)=>Reflect.construct(t,a.length?a:[${now}],n),` +
  `apply:(t)=>new t(${now}).toString(),get:(t,k)=>k==='now'?()=>${now}:Reflect.get(t,k)});`

/** A run of numbers for the code alone, which begins with a number that was drawn for it. */
const chanceFrom = (first: number) =>
  `{let s=${Math.floor(first * 2 ** 32)};Math.random=()=>{s=s+0x9e3779b9|0;let b=Math.imul(s^s>>>16,0x21f0aaad);` +
  'b=Math.imul(b^b>>>15,0x735a2d97);return((b^b>>>15)>>>0)/2**32}}'
