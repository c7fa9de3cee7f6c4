#!/usr/bin/env node
import { guardAgainstStalls } from './cli/input/stall-guard.ts'
import { runCommandLine } from './cli/run-command-line.ts'

// A reader that has seen enough, such as `head`, closes the pipe: the rest is not wanted.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

const code = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  print: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
  workingOn: guardAgainstStalls(60_000),
})
// No process.exit: output may still be on its way into a pipe. The process ends by itself once it has arrived.
if (code !== undefined) process.exitCode = code
