import { writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { stringify } from 'yaml'
import type { RecordingFile } from '../../conversations/recording/recording-file.ts'
import type { BlockRegistry } from '../../engine/model/block-handler.ts'
import { firstProblemOf, ServiceError } from '../../lib/errors.ts'
import { TestConversation } from '../../tooling/flow-tests/test-conversation.ts'
import { UntestableError, writeTests } from '../../tooling/replay/as-test/write-tests.ts'
import { compileRecorded, RecordingError, readRecordingFile } from '../../tooling/replay/recorded-file.ts'
import { type Console, exitCodes, UsageError } from '../command.ts'
import { readTextFile } from '../input/read-text-file.ts'
import { oneLine } from '../output/plain-text.ts'
import { openLocalWorld } from '../test-files/local-world.ts'
import { openReplayBounds } from './replay-bounds.ts'

/** A recording, and what is to be made of it. */
interface MadeTest {
  readonly path: string
  readonly text: string
  readonly asTest: string
  /** Undefined for the flow that was recorded. */
  readonly flowPath: string | undefined
  readonly registry: BlockRegistry
}

/** Makes a file of tests of a recording: 0 when it is written, 1 where no test can stand for it. */
export async function makeTest(
  { path, text, asTest, flowPath, registry }: MadeTest,
  console: Console,
): Promise<number> {
  const recording = read(text, path)
  const tested = flowPath ?? (await writeFlows(recording, dirname(asTest)))
  const world = openLocalWorld(console, registry)
  try {
    const { program } = await world.readFlow(tested)
    const deps = world.dependenciesFor(tested)
    const written = await writeTests(recording, {
      programs: compileRecorded(recording, { registry }),
      bounds: openReplayBounds(),
      name: basename(path).replace(/(\.recording)?\.json$/, ''),
      flow: relative(dirname(asTest), tested),
      open: (mocks, first) =>
        new TestConversation({
          program,
          mocks: { unmatched: 'fail', ...mocks },
          ...first,
          isTrusted: true,
          deps,
        }),
    })
    await write(asTest, stringify(written))
    console.print(`wrote ${asTest}: ${recording.turns.length} turns with ${tested}\n`)
    return exitCodes.fine
  } catch (error) {
    if (error instanceof ServiceError)
      throw new UsageError(`The flow of ${path} can not be run: ${firstProblemOf(error)}`)
    if (!(error instanceof UntestableError)) throw error
    console.warn(`${path} can not be made a test: ${error.message}\n`)
    return exitCodes.failed
  } finally {
    await world.close()
  }
}

function read(text: string, path: string): RecordingFile {
  try {
    return readRecordingFile(text)
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(oneLine(`${path}: ${error.message}`))
    throw error
  }
}

/** Writes the flows of a recording, by their ids, and returns the file of the first. */
async function writeFlows({ definitions, start }: RecordingFile, folder: string): Promise<string> {
  const paths = new Map<string, string>()
  for (const [hash, definition] of Object.entries(definitions)) {
    const { id } = definition as { readonly id?: unknown }
    // A recording may come from anywhere.
    const name = typeof id === 'string' && /^[\w-]{1,100}$/.test(id) ? id : 'flow'
    const path = join(folder, `${name}.json`)
    await writeFlow(path, `${JSON.stringify(definition, null, 2)}\n`)
    paths.set(hash, path)
  }
  return paths.get(start.program) ?? ''
}

async function writeFlow(path: string, text: string): Promise<void> {
  const kept = await readTextFile(path).catch(() => undefined)
  if (kept === text) return
  if (kept !== undefined)
    throw new UsageError(`${path} is there already, and says something else: name the flow with --flow`)
  await write(path, text)
}

function write(path: string, text: string): Promise<void> {
  return writeFile(path, text).catch((error: Error) => {
    throw new UsageError(`${path} can not be written: ${error.message}`)
  })
}
