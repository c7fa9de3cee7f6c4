import { expect, it } from 'vitest'
import { attackOf, classNames, playClass } from './classes/classes.ts'
import { tryService } from './trial.ts'

const whatever = tryService()

it.each(classNames)(
  'an attack by %s is answered as documented',
  async (name) => {
    const answered = await whatever(attackOf(name), playClass, 25)
    expect(answered).toBeGreaterThanOrEqual(25)
  },
  120_000,
)
