import { StringEnum } from './common.ts'

/** Kinds of effects that a turn requests. */
export const EffectType = StringEnum([
  'now',
  'random',
  'id',
  'link',
  'evaluate',
  'request',
  'mail',
  'complete',
  'callVendor',
  'signToken',
])
