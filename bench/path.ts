import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loopFlow, prefilled, staticFlow } from './flows/published.ts'

// How far a request travels: `npm run bench:path` prints how many files of src one passes, and how many calls of named
// functions it makes there, as V8 counts them over the built modules, and fails where that is more than the bounds allow.
// `-- --list` names the functions.

/** Below so many files and calls, somebody reads a request from its route to its answer in one sitting. */
const bounds = {
  'continue of one text answer': { files: 70, calls: 330 },
  'start with a value': { files: 60, calls: 290 },
} as const

const built = pathToFileURL(join(import.meta.dirname, '../dist/src/')).href
const { loadConfig } = await import(`${built}config/load-config.js`)
const { composeService } = await import(`${built}compose/composition-root.js`)
const { buildApp } = await import(`${built}compose/app.js`)
const { createLogger } = await import(`${built}lib/logger.js`)

const folder = mkdtempSync(join(tmpdir(), 'path-'))
for (const flow of [loopFlow, staticFlow])
  writeFileSync(join(folder, `${flow['id']}.json`), JSON.stringify(flow))
const log = createLogger('info', { write: () => undefined })
const service = await composeService(await loadConfig({ FLOWS_DIR: folder }), log)
const app = await buildApp(service.dependencies)
const post = async (url: string, payload: object) =>
  (await app.inject({ method: 'POST', url, payload })).json()

const begin = (flow: typeof loopFlow, body: object) => post(`/v1/flows/${flow['publicId']}/startChat`, body)
const requests: Record<keyof typeof bounds, () => Promise<() => Promise<unknown>>> = {
  'continue of one text answer': async () => {
    const { sessionId } = await begin(loopFlow, {})
    return () => post(`/v1/sessions/${sessionId}/continueChat`, { message: 'Analytical Engines' })
  },
  'start with a value': async () => () => begin(staticFlow, prefilled),
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
const take = async () => (await session.post('Profiler.takePreciseCoverage')).result

const callsOf = (passed: Awaited<ReturnType<typeof follow>>) =>
  passed.flatMap(({ called }) => called).reduce((sum, [, count]) => sum + count, 0)

/** Files that something passes, with the calls of each. */
async function follow(send: () => Promise<unknown>) {
  await take()
  await send()
  return (await take())
    .filter(({ url }) => url.startsWith(built))
    .map(({ url, functions }) => {
      const named = functions.filter(({ functionName, ranges }) => functionName && ranges[0]!.count > 0)
      return {
        file: url.slice(built.length),
        called: named.map((each) => [each.functionName, each.ranges[0]!.count] as const),
      }
    })
    .filter(({ called }) => called.length > 0)
}

for (const [name, { files, calls: mostCalls }] of Object.entries(bounds)) {
  const prepare = requests[name as keyof typeof bounds]
  for (let round = 0; round < 20; round++) await (await prepare())()
  const sent: Awaited<ReturnType<typeof follow>>[] = []
  for (let round = 0; round < 5; round++) sent.push(await follow(await prepare()))
  // A timer of the process that fires meanwhile only adds to it.
  const passed = sent.reduce((least, each) => (callsOf(each) < callsOf(least) ? each : least))
  const calls = callsOf(passed)
  const functions = passed.flatMap(({ called }) => called).length
  console.log(`${name}: ${passed.length} files, ${functions} functions, ${calls} calls`)
  if (process.argv.includes('--list')) {
    for (const each of passed) console.log(each.file, Object.fromEntries(each.called))
  }
  if (passed.length < files && calls < mostCalls) continue
  console.error(`${name}: fewer than ${files} files and ${mostCalls} calls are allowed`)
  process.exitCode = 1
}
await app.close()
await service.close()
rmSync(folder, { recursive: true })
