import type { Row } from '../world.ts'
import { bubble, computes, startedWith, times } from './flows.ts'

const list = (length: number, element: (nth: number) => string = String) => times(length, element)

const long = 'x'.repeat(60_000)

/** Code that is legal, and does as much as it can. */
export const code: readonly Row[] = [
  startedWith(
    'loops inside loops',
    [computes('{{L}}.map(a => {{L}}.map(b => {{L}}.some(c => c > a + b)))')],
    () => ({
      L: list(300),
    }),
  ),
  startedWith(
    'loops in many blocks',
    times(20, (nth) => computes(`{{L}}.map(a => {{L}}.some(b => b === ${nth})).length`, `s${nth}`)),
    () => ({ L: list(250) }),
  ),
  startedWith(
    'loops in one text',
    [
      bubble(
        'b',
        times(40, (nth) => `{{= {{L}}.map(a => {{L}}.some(b => b === ${nth})).length =}}`).join(' '),
      ),
    ],
    () => ({ L: list(250) }),
  ),
  startedWith(
    'numbers read from a long text',
    [computes('{{L}}.map(a => parseFloat({{V}}) + parseInt({{V}}) + Number({{V}})).length')],
    () => ({ L: list(2_000), V: '1'.repeat(60_000) }),
  ),
  startedWith(
    'searches in a long text',
    [computes('{{L}}.map(a => {{V}}.indexOf({{W}} + a)).length')],
    () => ({
      L: list(2_000),
      V: long,
      W: 'x'.repeat(30_000),
    }),
  ),
  startedWith('cases of a long text', [computes('{{L}}.map(a => {{V}}.toUpperCase().length)')], () => ({
    L: list(2_000),
    V: 'ß'.repeat(60_000),
  })),
  startedWith('pieces of a long text', [computes('{{L}}.map(a => {{V}}.split("").length)')], () => ({
    L: list(500),
    V: long,
  })),
  startedWith('blanks around a long text', [computes('{{L}}.map(a => {{V}}.trim().length)')], () => ({
    L: list(3_000),
    V: ' '.repeat(60_000),
  })),
  startedWith('a text that grows', [computes('{{V}}.repeat(100).replaceAll("x", "yyyy").length')], () => ({
    V: long,
  })),
  startedWith('lists that are joined', [computes('{{L}}.map(a => {{L}}.join(",").length)')], () => ({
    L: list(2_000),
  })),
  startedWith('lists that are sorted', [computes('{{L}}.map(a => [...{{L}}].sort().length)')], () => ({
    L: list(1_500, (nth) => `${(nth * 7919) % 1_500}`),
  })),
  startedWith('patterns in code', [computes('{{V}}.replace(/(x+x+)+y/g, "")')], () => ({
    V: 'x'.repeat(200),
  })),
  startedWith(
    'comparisons of long texts',
    [computes('{{L}}.filter(a => {{V}} + a === {{W}} + a).length')],
    () => ({
      L: list(5_000),
      V: long,
      W: long,
    }),
  ),
]
