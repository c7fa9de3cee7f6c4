import type { CommandModule } from './command.ts'

interface Command {
  /** One line of the overview. */
  readonly summary: string
  /** Loads the file of the command, so that none pays for what the others import. */
  load(): Promise<CommandModule>
}

/** Every command by its name, in the order of the overview. */
export const commands: Readonly<Record<string, Command>> = {
  serve: { summary: 'run the service (without a command as well)', load: () => import('./serve.ts') },
  lint: { summary: 'check flows for mistakes', load: () => import('./lint.ts') },
  test: { summary: 'run conversations that are written down against flows', load: () => import('./test.ts') },
  replay: { summary: 'run recorded conversations again', load: () => import('./replay.ts') },
  import: { summary: 'turn exported flows into files of flows', load: () => import('./import.ts') },
  pull: { summary: 'fetch the flows of another installation', load: () => import('./pull.ts') },
  publish: { summary: 'publish a folder of flows by a running service', load: () => import('./publish.ts') },
}
