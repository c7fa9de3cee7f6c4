import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordingFile } from '../../src/conversations/recording/recording-file.ts'
import type { Json } from './json.ts'

/** Conversations with the sample flows, each without its flow, which is that of `sampleFlows`, and without its limits. */
export const recordingsFolder = join(import.meta.dirname, '../tooling/replay/recordings')

const flowFolder = join(import.meta.dirname, '../../flows')

/** The definitions of the sample flows, by their names. */
export const sampleFlows: ReadonlyMap<string, Json> = new Map(
  namesIn(flowFolder, '.json').map((name) => [name, readJson(join(flowFolder, `${name}.json`))]),
)

/** Names of the recordings: that of the flow, and a number. */
export const sampleNames = namesIn(recordingsFolder, '.recording.json')

/** As they were when all of them were recorded. */
const recordedLimits = {
  blocksPerTurn: 1000,
  messagesPerTurn: 500,
  charactersPerTurn: 8388608,
  linkDepth: 50,
  returnMarks: 100,
  variableLength: 65536,
  variablesLength: 1048576,
  blockMs: 1000,
  turnMs: 10000,
  replyLength: 16384,
  wholeTurnMs: 60000,
  callsPerTurn: 20,
  codeTurnMs: 3000,
}

/** A recording as the service writes it. */
export function sampleRecording(name: string): RecordingFile {
  const { start, ...kept } = readJson(
    join(recordingsFolder, `${name}.recording.json`),
  ) as unknown as RecordingFile
  const definitions = { [start.program]: sampleFlows.get(name.replace(/-\d$/, '')) }
  return { ...kept, start: { ...start, limits: recordedLimits }, definitions }
}

/** Writes all of them into a new folder, which is left to its caller. */
export function writeSampleRecordings(): string {
  const folder = mkdtempSync(join(tmpdir(), 'recordings-'))
  for (const name of sampleNames)
    writeFileSync(join(folder, `${name}.recording.json`), JSON.stringify(sampleRecording(name), null, 2))
  return folder
}

function namesIn(folder: string, ending: string): string[] {
  return readdirSync(folder).flatMap((file) => (file.endsWith(ending) ? [file.replace(ending, '')] : []))
}

function readJson(path: string): Json {
  return JSON.parse(readFileSync(path, 'utf8'))
}
