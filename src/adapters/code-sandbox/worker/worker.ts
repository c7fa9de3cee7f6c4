import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadData } from '../protocol.ts'
import { serveSandbox } from './job-server.ts'

await serveSandbox(parentPort!, workerData as ThreadData)
