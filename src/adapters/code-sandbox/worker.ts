import { parentPort, workerData } from 'node:worker_threads'
import { serveSandbox } from './service.ts'
import type { ThreadData } from './wire.ts'

await serveSandbox(parentPort!, workerData as ThreadData)
