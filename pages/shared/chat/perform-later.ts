import { load } from '../lazy.tsx'
import type { performAction } from './perform-action.ts'

/** As `performAction`, whose code comes when a flow asks for something the first time. */
export const performLater: typeof performAction = async (action, stage, failure) => {
  const actions = await load(() => import('./perform-action.ts'))
  return actions.performAction(action, stage, failure)
}
