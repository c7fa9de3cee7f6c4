import type { Turn } from '../../engine/turn/turn.ts'
import { maskOf } from '../../engine/turn/turn-mask.ts'
import { freeMark, mapTexts, unmasking } from '../../engine/values/sensitive-values.ts'
import { type ByteString, fromByteString, toByteString } from '../../lib/byte-string.ts'
import type { RecordedMark, RecordedSession, RecordedTurn } from '../../sessions/recorded-session.ts'
import type { RecordingTerms } from '../dependencies.ts'

type MaskedParts<Recorded> = Pick<RecordedSession, 'start' | 'masked'> & { readonly turn: Recorded }

/**
 * A turn as it is kept in a recording: without the values of marked variables, of which the personal ones are kept beside it
 * until the session goes. The start is masked with it.
 */
export function maskRecorded<Recorded extends RecordedTurn | undefined>(
  { start, masked: earlier = [], turns }: RecordedSession,
  recorded: Recorded,
  { turn, terms }: { readonly turn: Turn; readonly terms: RecordingTerms },
): MaskedParts<Recorded> {
  const mask = terms.isPlain ? undefined : maskOf(turn, () => JSON.stringify([start, turns, recorded]))
  if (!mask) return { start, turn: recorded, ...(earlier.length > 0 && { masked: earlier }) }
  const taken = new Set(earlier.map(({ mark }) => mark))
  const known = new Map(
    earlier.flatMap((value) => (value.text === undefined ? [] : [[value.text, value.mark]])),
  )
  const renamed: { mark: string; text: string }[] = []
  const masked: RecordedMark[] = [...earlier]
  for (const { text, ...value } of mask.values) {
    // All values of a secret that is kept nowhere have one mark.
    const unknown = earlier.find(({ name, text }) => text === undefined && name === value.name)?.mark
    const mark = known.get(text) ?? unknown ?? freeMark(value.name, (one) => taken.has(one))
    if (mark !== value.mark) renamed.push({ mark: value.mark, text: mark })
    if (taken.has(mark)) continue
    taken.add(mark)
    masked.push({ ...value, mark, ...(value.sensitivity === 'personal' && { text }) })
  }
  const rename = unmasking(renamed)
  const change = (text: string) => rename(mask.text(text))
  return { start: mapTexts(start, change), turn: recorded && mapTurn(recorded, change), masked }
}

/** A recording with the values in their places that are kept beside it, and the marks that are left. */
export function unmaskRecorded(
  recording: RecordedSession,
): Pick<RecordedSession, 'start' | 'turns' | 'masked'> {
  const { start, turns, masked = [] } = recording
  const known = masked.flatMap(({ mark, text }) => (text === undefined ? [] : [{ mark, text }]))
  const left = masked.filter(({ text }) => text === undefined)
  const change = unmasking(known)
  return {
    start: mapTexts(start, change),
    turns: turns.map((turn) => mapTurn(turn, change)),
    ...(left.length > 0 && { masked: left }),
  }
}

/** Responses and payloads are JSON in texts, responses as they go over the wire. */
function mapTurn<Recorded extends RecordedTurn>(turn: Recorded, change: (text: string) => string): Recorded {
  const { response, payload } = turn
  const inside = (json: string) => JSON.stringify(mapTexts(JSON.parse(json), change))
  const texts = {
    response: toByteString(inside(fromByteString(response as ByteString))),
    ...(payload !== undefined && { payload: inside(payload) }),
  }
  return { ...mapTexts(turn, change), ...texts }
}
