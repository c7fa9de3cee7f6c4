import { ask, type Effects } from '../../../engine/model/effects.ts'
import { effectValue } from './source.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const lettersAndDigits = `${letters}0123456789`
const length = 24

/** An id that never begins with a digit, so that it can stand wherever a name can. */
export const randomId = effectValue(function* () {
  let id = yield* drawFrom(letters)
  while (id.length < length) id += yield* drawFrom(lettersAndDigits)
  return id
})

function* drawFrom(alphabet: string): Effects<string> {
  const drawn = yield* ask({ type: 'random' })
  return alphabet.charAt(Math.floor(drawn * alphabet.length))
}

/** A preview has no result: it gets a fresh id each time. */
export const resultId = effectValue(function* (context) {
  return context.resultId ?? (yield* ask({ type: 'id' }))
})
