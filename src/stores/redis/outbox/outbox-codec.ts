import { type Readers, readRow } from '../../codec/format.ts'
import type { ResultTurn } from './result-sink.ts'

const outboxFormat = 1

const readers: Readers<ResultTurn> = {
  [outboxFormat]: ([, key, revision, updates]) => ({ key, revision, updates }) as ResultTurn,
}

/** Writes what a turn changed about results, behind the number of its format. */
export function writeResultTurn({ key, revision, updates }: ResultTurn): string {
  return JSON.stringify([outboxFormat, key, revision, updates])
}

/** Throws SERVICE_UNAVAILABLE for the format of a later build. */
export function readResultTurn(text: string): ResultTurn {
  return readRow(JSON.parse(text), readers)
}
