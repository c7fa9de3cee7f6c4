/** The id that comes back when an option is pressed: the turn that offered it, and its place. */
export const pressId = (turn: number, { index }: { readonly index: number }): string => `r:${turn}:${index}`

/** Undefined for an id that is none of ours: other programs that send for the same account have buttons too. */
export function readPress(id: string): { readonly turn: number; readonly index: number } | undefined {
  const [, turn, index] = /^r:(\d{1,15}):(\d{1,9})$/.exec(id) ?? []
  return turn === undefined ? undefined : { turn: Number(turn), index: Number(index) }
}
