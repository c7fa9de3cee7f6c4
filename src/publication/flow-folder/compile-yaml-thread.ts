import { parentPort } from 'node:worker_threads'
import { compileYaml } from './compile-yaml.ts'

parentPort?.on('message', ({ text, pointers }: { text: string; pointers: readonly string[] }) =>
  parentPort?.postMessage(compileYaml(text, pointers)),
)
