import fc from 'fast-check'

/** The same cases in each run, so that one that fails fails for the change; `PROPERTY_SEED` draws others (CONTRIBUTING.md). */
const { PROPERTY_SEED: asked = '1' } = process.env
if (asked !== 'random') {
  const seed = Number(asked)
  if (!Number.isInteger(seed)) throw new Error('PROPERTY_SEED has to be a whole number, or "random"')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
}
