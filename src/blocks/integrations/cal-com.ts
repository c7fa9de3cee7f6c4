import { notAvailableBlock } from '../not-available.ts'

/** Passes over booking calendars. */
export const calCom = notAvailableBlock(['cal-com'])
