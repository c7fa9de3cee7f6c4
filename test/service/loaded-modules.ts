import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type BuiltService, separateModules, startBuiltService } from '../support/built-service.ts'

/** Starts the service, uses it and ends it: the addresses of all files that it has run, as V8 reports them. */
export async function loadedModules(
  variables: Record<string, string>,
  use: (service: BuiltService) => Promise<unknown>,
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'loaded-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const service = await startBuiltService(
    { ...variables, NODE_V8_COVERAGE: folder },
    { args: separateModules },
  )
  try {
    await use(service)
  } finally {
    await service.stop()
  }
  const loaded = new Set<string>()
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8'))
    for (const { url } of result as { url: string }[]) if (url.startsWith('file:')) loaded.add(url)
  }
  return [...loaded]
}
