import { parse, toSeconds } from 'iso8601-duration'

/** Milliseconds of a text that fits the schema `Duration`. */
export const durationMs = (text: string): number => toSeconds(parse(text)) * 1000
