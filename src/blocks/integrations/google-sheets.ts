import { notAvailableBlock } from '../not-available.ts'

/** Passes over blocks that read or write a spreadsheet. */
export const googleSheets = notAvailableBlock(['Google Sheets'])
