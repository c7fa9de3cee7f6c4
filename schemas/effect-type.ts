import { StringEnum } from './common.ts'

/** What a turn asks of the world. */
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
